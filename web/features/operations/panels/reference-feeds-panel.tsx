/** Feeds of market figures, counters and news: their last answers, and how much of each allowance is spent. */
import { groupedCount } from '#domain/format/count.ts';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { Moment } from '../facts.tsx';
import styles from '../parts.module.css';

interface Line {
  key: string;
  name: string;
  kind: string;
  lastOkAtMs: number | null;
  nowMs: number;
  failures: number | null;
  problem: string;
}

export function ReferenceFeedsPanel({ state }: { state: OperationsState }) {
  const lines = [...referenceLines(state), ...newsLines(state)];
  return (
    <Panel heading="Reference feeds and news" isFlush>
      {state.budgets.length > 0 && <p className={styles.text}>{state.budgets.map(budgetText).join(' · ')}</p>}
      {lines.length === 0 ? (
        <p className={styles.text}>No feed has responded yet.</p>
      ) : (
        <Table
          caption="Reference feeds"
          className={styles.table}
          columns={COLUMNS}
          rows={lines}
          rowKey={({ key }) => key}
        />
      )}
    </Panel>
  );
}

function budgetText({ feed, calls, allowance }: OperationsFacts['budgets'][number]): string {
  return `${feed}: ${groupedCount(calls)} of ${groupedCount(allowance)} calls this month`;
}

function referenceLines({ references, takenAtMs }: OperationsState): Line[] {
  return references.map(({ feed, kind, attribution, fetchedAtMs }) => ({
    key: `${feed} ${kind}`,
    name: `${feed} (${attribution})`,
    kind,
    lastOkAtMs: fetchedAtMs,
    nowMs: takenAtMs,
    failures: null,
    problem: '',
  }));
}

function newsLines({ news, community, database }: OperationsState): Line[] {
  return news.map(({ host, lastOkAtMs, failures, lastError }, place) => ({
    key: `${host} ${place}`,
    name: `news: ${host}`,
    kind: community.kind,
    lastOkAtMs,
    nowMs: database.nowMs,
    failures,
    problem: lastError ?? '',
  }));
}

const COLUMNS: readonly Column<Line>[] = [
  { key: 'name', name: 'Feed', cell: ({ name }) => name },
  {
    key: 'kind',
    name: 'Kind',
    cell: ({ kind }) => <Badge tone={kind === 'live' ? 'up' : 'neutral'}>{kind}</Badge>,
  },
  {
    key: 'ok',
    name: 'Last success',
    cell: ({ lastOkAtMs, nowMs }) => <Moment atMs={lastOkAtMs} nowMs={nowMs} />,
    isFigure: true,
  },
  { key: 'failures', name: 'Failures', cell: ({ failures }) => failures ?? '–', isFigure: true },
  { key: 'problem', name: 'Problem', cell: ({ problem }) => problem },
];
