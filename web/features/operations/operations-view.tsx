import CircleCheck from 'lucide-react/icons/circle-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import type { Attention, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { AsOf } from '../../ui/status/as-of.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { PanelNote } from '../../ui/status/panel-note.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './operations-view.module.css';
import { AuditPanel } from './panels/audit-panel.tsx';
import { ErrorsPanel } from './panels/errors-panel.tsx';
import { JobsPanel } from './panels/jobs-panel.tsx';
import { MarketFeedsPanel } from './panels/market-feeds-panel.tsx';
import { ModelsPanel } from './panels/models-panel.tsx';
import { OverloadPanel } from './panels/overload-panel.tsx';
import { PaymentsPanel } from './panels/payments-panel.tsx';
import { ProcessPanel } from './panels/process-panel.tsx';
import { ChatsPanel, MailPanel, NotificationsPanel, WebhooksPanel } from './panels/queue-panels.tsx';
import { RecordPanel } from './panels/record-panel.tsx';
import { ReferenceFeedsPanel } from './panels/reference-feeds-panel.tsx';
import { useOperations } from './use-operations.ts';

export function OperationsView() {
  const { latest, readAtMs, nowMs } = useOperations();
  const { data, failure, staleSinceMs } = latest;
  return (
    <div className={styles.view}>
      {data === null ? (
        <Panel heading="Attention">
          {failure === null ? (
            <div role="status" aria-label="Loading the site’s status">
              <Skeleton className={styles.waiting} />
            </div>
          ) : (
            <ErrorState
              title="We couldn’t load the site’s status"
              text={`${failure} The errors and the audit trail below load separately.`}
              onRetry={latest.retry}
              isRetrying={latest.isRetrying}
            />
          )}
        </Panel>
      ) : (
        <>
          <Panel heading="Attention" isFlush beside={<Counts state={data} />}>
            <div className={classNames(staleSinceMs !== null && 'old-figures')}>
              <AttentionList attention={data.attention} />
            </div>
            <PanelNote lastData={latest} nowMs={nowMs}>
              <p>
                <AsOf label="Updated" timeMs={readAtMs} nowMs={Math.max(nowMs, readAtMs)} /> Updates every 15 seconds.
              </p>
            </PanelNote>
          </Panel>
          <div className={classNames(styles.parts, staleSinceMs !== null && 'old-figures')}>
            <ProcessPanel state={data} className={styles.whole} />
            <OverloadPanel state={data} className={styles.whole} />
            <MarketFeedsPanel state={data} className={styles.whole} />
            <JobsPanel state={data} />
            <ReferenceFeedsPanel state={data} />
            <PaymentsPanel state={data} />
            <MailPanel state={data} />
            <NotificationsPanel state={data} />
            <ChatsPanel state={data} />
            <WebhooksPanel state={data} />
            <RecordPanel state={data} />
            <ModelsPanel state={data} className={styles.whole} />
          </div>
        </>
      )}
      <ErrorsPanel />
      <AuditPanel />
    </div>
  );
}

function Counts({ state: { attention } }: { state: OperationsState }) {
  const urgent = attention.filter(({ level }) => level === 'urgent').length;
  return urgent === 0 ? null : <Badge tone="down">{`${urgent} urgent`}</Badge>;
}

const ICONS = { urgent: CircleAlert, warning: TriangleAlert, note: Info } as const;
const LABELS = { urgent: 'Urgent', warning: 'Warning', note: 'Note' } as const;

/** Current problems, the worst first. Each line's kind names its paragraph in docs/operating/at-night.md. */
function AttentionList({ attention }: { attention: readonly Attention[] }) {
  if (attention.length === 0)
    return (
      <p className={classNames(styles.line, styles.fine)}>
        <CircleCheck size={18} aria-hidden="true" />
        Nothing needs attention.
      </p>
    );
  return (
    <ul className={styles.list}>
      {attention.map(({ level, kind, text }) => {
        const Icon = ICONS[level];
        return (
          <li key={`${kind} ${text}`} className={classNames(styles.line, styles[level])}>
            <Icon size={18} aria-hidden="true" />
            <span>
              <strong className={styles.level}>{LABELS[level]}</strong> {text}{' '}
              <code className={styles.kind}>{kind}</code>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
