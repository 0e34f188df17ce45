/** The newest reports of one group, with their stacks. */
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import type { ErrorReport } from './operations-api.ts';
import styles from './panels/errors-panel.module.css';
import { useErrorReports } from './use-operations.ts';

export function ErrorReports({ fingerprint }: { fingerprint: string }) {
  const { kept } = useErrorReports(fingerprint);
  const { data, failure } = kept;
  if (data === null)
    return failure === null ? (
      <div role="status" aria-label="Loading reports" className={styles.words}>
        <Skeleton className={styles.waiting} />
      </div>
    ) : (
      <ErrorState title="The reports are not known" text={failure} onRetry={kept.retry} isRetrying={kept.isRetrying} />
    );
  return (
    <ul className={styles.reports}>
      {data.map((report) => (
        <Report key={report.id} report={report} />
      ))}
    </ul>
  );
}

function Report({ report }: { report: ErrorReport }) {
  const { zone } = useTimeZone();
  const { id, received_at, message, stack, context, page, user_id } = report;
  const time = zonedSecond(Date.parse(received_at), zone);
  return (
    <li className={styles.report}>
      <dl className={styles.facts}>
        <div>
          <dt>Reported</dt>
          <dd className="figures">{time}</dd>
        </div>
        <div>
          <dt>Page</dt>
          <dd>{page ?? 'not told'}</dd>
        </div>
        <div>
          <dt>User</dt>
          <dd className="figures">{user_id ?? 'a visitor'}</dd>
        </div>
        <div>
          <dt>Report</dt>
          <dd className="figures">{id}</dd>
        </div>
      </dl>
      <p className={styles.text}>{message}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key */}
      <section className={styles.stack} tabIndex={0} aria-label={`Stack of report ${id}`}>
        <pre>
          {stack ?? 'No stack was reported.'}
          {context === null || context === undefined ? '' : `\n\n${JSON.stringify(context, null, 2)}`}
        </pre>
      </section>
    </li>
  );
}
