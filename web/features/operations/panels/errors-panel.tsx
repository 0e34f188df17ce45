import ChevronRight from 'lucide-react/icons/chevron-right';
import { useId, useState } from 'react';
import { counted, groupedCount } from '#domain/format/count.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Field } from '../../../ui/forms/field.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { PanelNote } from '../../../ui/status/panel-note.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { Moment } from '../facts.tsx';
import type { ErrorGroup, ErrorReport } from '../operations-api.ts';
import { useErrorGroups, useErrorReports } from '../use-operations.ts';
import styles from './errors-panel.module.css';

const PERIODS = [
  { value: '1', label: 'Hour' },
  { value: '24', label: 'Day' },
  { value: '168', label: 'Week' },
  { value: '2160', label: '90 days' },
] as const;
type Period = (typeof PERIODS)[number]['value'];

export function ErrorsPanel() {
  const [search, setSearch] = useState('');
  const [period, setPeriod] = useState<Period>('24');
  const { latest, isPrevious, nowMs } = useErrorGroups(search, Number(period));
  const { data, failure, staleSinceMs } = latest;
  return (
    <Panel
      heading="Page errors"
      isFlush
      actions={<Segmented label="Period" value={period} options={PERIODS} onChange={setPeriod} />}
    >
      <div className={styles.search}>
        <Field
          label="Search errors"
          type="search"
          placeholder="Message, stack, page or user id"
          maxLength={200}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {data === null ? (
        <div className={styles.text}>
          {failure === null ? (
            <div role="status" aria-label="Loading errors">
              <Skeleton className={styles.waiting} />
            </div>
          ) : (
            <ErrorState
              title="We couldn’t load the errors"
              text={failure}
              onRetry={latest.retry}
              isRetrying={latest.isRetrying}
            />
          )}
        </div>
      ) : (
        <>
          <div className={classNames((staleSinceMs !== null || isPrevious) && 'old-figures')}>
            {data.length === 0 ? (
              <p className={styles.text}>{search.trim() === '' ? 'No errors reported.' : 'No matching errors.'}</p>
            ) : (
              <ul className={styles.groups}>
                {data.map((group) => (
                  <Group key={group.fingerprint} group={group} nowMs={nowMs} />
                ))}
              </ul>
            )}
          </div>
          <PanelNote lastData={latest} nowMs={nowMs}>
            <p role="status">{summaryOf(data)}</p>
          </PanelNote>
        </>
      )}
    </Panel>
  );
}

function summaryOf(groups: readonly ErrorGroup[]): string {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const summary = `${groupedCount(total)} ${total === 1 ? 'report' : 'reports'} in ${groups.length} ${groups.length === 1 ? 'group' : 'groups'}.`;
  return groups.some(({ is_partial }) => is_partial)
    ? `${summary} Only the newest reports are counted. There were more.`
    : summary;
}

function Group({ group, nowMs }: { group: ErrorGroup; nowMs: number }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { fingerprint, message, count, users, page, component, first_at, last_at } = group;
  return (
    <li className={styles.group}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={16} aria-hidden="true" className={classNames(styles.mark, isOpen && styles.turned)} />
        <span className={classNames('figures', styles.count)}>{`${groupedCount(count)}×`}</span>
        <span className={styles.message}>{message}</span>
        <span className={styles.about}>
          {`${[page, component, users === 0 ? 'visitors' : counted(users, 'user'), 'first '].filter((part) => part !== null).join(' · ')}`}
          <Moment atMs={Date.parse(first_at)} nowMs={nowMs} /> · last{' '}
          <Moment atMs={Date.parse(last_at)} nowMs={nowMs} />
        </span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <ErrorReports fingerprint={fingerprint} />}
      </div>
    </li>
  );
}

function ErrorReports({ fingerprint }: { fingerprint: string }) {
  const { latest } = useErrorReports(fingerprint);
  const { data, failure } = latest;
  if (data === null)
    return failure === null ? (
      <div role="status" aria-label="Loading reports" className={styles.text}>
        <Skeleton className={styles.waiting} />
      </div>
    ) : (
      <ErrorState
        title="We couldn’t load the reports"
        text={failure}
        onRetry={latest.retry}
        isRetrying={latest.isRetrying}
      />
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
    <li className="grid one-column gap-2">
      <dl className={styles.facts}>
        <div>
          <dt>Reported</dt>
          <dd className="figures">{time}</dd>
        </div>
        <div>
          <dt>Page</dt>
          <dd>{page ?? 'not reported'}</dd>
        </div>
        <div>
          <dt>User</dt>
          <dd className="figures">{user_id ?? 'visitor'}</dd>
        </div>
        <div>
          <dt>Report</dt>
          <dd className="figures">{id}</dd>
        </div>
      </dl>
      <p className="size-13 break-anywhere">{message}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key */}
      <section className={styles.stack} tabIndex={0} aria-label={`Stack trace of report ${id}`}>
        <pre>
          {(stack ?? 'No stack trace was reported.') +
            (context === null || context === undefined ? '' : `\n\n${JSON.stringify(context, null, 2)}`)}
        </pre>
      </section>
    </li>
  );
}
