import { groupedCount } from '#domain/format/count.ts';
import { plainPercent } from '#domain/format/price.ts';
import type { OperationsState, OverloadFacts } from '#domain/operations/operations-state.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { Facts } from '../facts.tsx';
import styles from '../parts.module.css';

type Class = OverloadFacts['classes'][number];

const NAMES: Readonly<Record<Class['name'], string>> = {
  stream: 'New forecasts',
  call: 'Calls',
  'sign-up': 'Sign-ups and passwords',
  page: 'Pages',
  file: 'Static files',
  socket: 'Live sockets',
  payment: 'Payment events',
};

const COLUMNS: readonly Column<Class>[] = [
  { key: 'name', name: 'Requests', cell: ({ name }) => NAMES[name] },
  { key: 'waiting', name: 'Waiting', cell: ({ waiting }) => groupedCount(waiting), isFigure: true },
  {
    key: 'oldest',
    name: 'Oldest wait',
    cell: ({ waiting, oldestMs }) => (waiting === 0 ? '–' : `${Math.round(oldestMs)} ms`),
    isFigure: true,
  },
  { key: 'admitted', name: 'Served', cell: ({ admitted }) => groupedCount(admitted), isFigure: true },
  { key: 'refused', name: 'Refused', cell: ({ refused }) => groupedCount(refused), isFigure: true },
  { key: 'left', name: 'Disconnected', cell: ({ left }) => groupedCount(left), isFigure: true },
];

export function OverloadPanel({ state, className }: { state: OperationsState; className?: string | undefined }) {
  const { isShedding, bookEveryMs, utilization, classes } = state.overload;
  return (
    <Panel heading="Load on this process" isFlush className={className}>
      <Facts
        facts={[
          {
            name: 'State',
            value: <Badge tone={isShedding ? 'down' : 'up'}>{isShedding ? 'shedding load' : 'serving all'}</Badge>,
          },
          { name: 'Event loop utilization', value: plainPercent(utilization * 100, 0) },
          {
            name: 'Order books',
            value: bookEveryMs === 0 ? 'on every change' : `at most every ${bookEveryMs / 1000} s`,
          },
        ]}
      />
      <Table
        caption="Requests since the process started, by type"
        className={styles.table}
        columns={COLUMNS}
        rows={classes}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}
