/** Jobs that only one process runs at a time: when each is due, and how its last run ended. */
import { groupedCount } from '#domain/format/count.ts';
import { isAtRest } from '#domain/operations/job-rest.ts';
import type { OperationsJob, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { Moment } from '../facts.tsx';
import styles from '../parts.module.css';

export function JobsPanel({ state }: { state: OperationsState }) {
  return (
    <Panel heading="Jobs" isFlush>
      <Table
        caption="Job list"
        className={styles.table}
        columns={columnsOf(state)}
        rows={state.jobs}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}

function columnsOf(state: OperationsState): Column<OperationsJob>[] {
  const { nowMs } = state.database;
  return [
    { key: 'name', name: 'Job', cell: ({ name }) => name },
    { key: 'state', name: 'State', cell: (job) => <JobState job={job} isResting={isAtRest(job, state)} /> },
    { key: 'due', name: 'Due', cell: (job) => <Moment atMs={job.nextDueAtMs} nowMs={nowMs} />, isFigure: true },
    { key: 'ok', name: 'Last success', cell: (job) => <Moment atMs={job.lastOkAtMs} nowMs={nowMs} />, isFigure: true },
    { key: 'runs', name: 'Runs', cell: ({ runs }) => groupedCount(runs), isFigure: true },
    { key: 'error', name: 'Last error', cell: ({ lastError }) => lastError ?? '' },
  ];
}

function JobState({ job: { isRunning, failures }, isResting }: { job: OperationsJob; isResting: boolean }) {
  if (isRunning) return <Badge tone="info">running</Badge>;
  if (failures > 0) return <Badge tone="down">{failures === 1 ? 'failed' : `failed ${failures} times`}</Badge>;
  return <Badge tone={isResting ? 'neutral' : 'up'}>{isResting ? 'idle' : 'waiting'}</Badge>;
}
