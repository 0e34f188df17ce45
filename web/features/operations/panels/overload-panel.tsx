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
  file: 'Files of pages',
  socket: 'Live sockets',
};

const COLUMNS: readonly Column<Class>[] = [
  { key: 'name', name: 'Work', cell: ({ name }) => NAMES[name] },
  { key: 'waiting', name: 'Waiting', cell: ({ waiting }) => groupedCount(waiting), isFigure: true },
  {
    key: 'oldest',
    name: 'For',
    cell: ({ waiting, oldestMs }) => (waiting === 0 ? '–' : `${Math.round(oldestMs)} ms`),
    isFigure: true,
  },
  { key: 'admitted', name: 'Served', cell: ({ admitted }) => groupedCount(admitted), isFigure: true },
  { key: 'refused', name: 'Refused', cell: ({ refused }) => groupedCount(refused), isFigure: true },
  { key: 'left', name: 'Left', cell: ({ left }) => groupedCount(left), isFigure: true },
];

export function OverloadPanel({ state, className }: { state: OperationsState; className?: string | undefined }) {
  const { isShedding, bookEveryMs, utilization, classes } = state.overload;
  return (
    <Panel heading="Load of this process" isFlush className={className}>
      <Facts
        facts={[
          {
            name: 'State',
            value: <Badge tone={isShedding ? 'down' : 'up'}>{isShedding ? 'refuses some' : 'serves all'}</Badge>,
          },
          { name: 'Event loop busy', value: plainPercent(utilization * 100, 0) },
          {
            name: 'Order books',
            value: bookEveryMs === 0 ? 'as they change' : `every ${bookEveryMs / 1000} s at most`,
          },
        ]}
      />
      <Table
        caption="Requests since the start, by kind of work"
        className={styles.table}
        columns={COLUMNS}
        rows={classes}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}
