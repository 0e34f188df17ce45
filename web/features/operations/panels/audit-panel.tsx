import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { PanelNote } from '../../../ui/status/panel-note.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { Moment } from '../facts.tsx';
import type { AuditRow } from '../operations-api.ts';
import styles from '../parts.module.css';
import { useAudit } from '../use-operations.ts';

export function AuditPanel() {
  const { latest, nowMs } = useAudit();
  const { data, failure, staleSinceMs } = latest;
  return (
    <Panel heading="Admin actions" isFlush>
      {data === null ? (
        <div className={styles.text}>
          {failure === null ? (
            <div role="status" aria-label="Loading the audit trail">
              <Skeleton />
            </div>
          ) : (
            <ErrorState
              title="We couldn’t load the audit trail"
              text={failure}
              onRetry={latest.retry}
              isRetrying={latest.isRetrying}
            />
          )}
        </div>
      ) : (
        <>
          {data.length === 0 ? (
            <p className={styles.text}>No admin actions yet.</p>
          ) : (
            <Table
              caption="Audit trail"
              className={`${styles.table} ${staleSinceMs === null ? '' : 'old-figures'}`}
              columns={columnsAt(nowMs)}
              rows={data}
              rowKey={({ id }) => String(id)}
            />
          )}
          <PanelNote lastData={latest} nowMs={nowMs}>
            <p>Shows the newest 100.</p>
          </PanelNote>
        </>
      )}
    </Panel>
  );
}

function columnsAt(nowMs: number): Column<AuditRow>[] {
  return [
    { key: 'at', name: 'When', cell: ({ at }) => <Moment atMs={Date.parse(at)} nowMs={nowMs} />, isFigure: true },
    { key: 'actor', name: 'Actor', cell: actorLabel },
    { key: 'action', name: 'Action', cell: ({ action }) => <span className={styles.code}>{action}</span> },
    { key: 'subject', name: 'Subject', cell: ({ subject }) => <span className={styles.code}>{subject ?? '–'}</span> },
    { key: 'details', name: 'Details', cell: ({ details }) => detailsOf(details) },
  ];
}

function actorLabel({ actor_email, actor_id, details }: AuditRow): string {
  if (actor_email !== null) return actor_email;
  if (actor_id !== null) return `${actor_id} (account removed)`;
  return details.by === 'command' ? 'operator command' : 'database';
}

function detailsOf(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name]) => name !== 'by')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
