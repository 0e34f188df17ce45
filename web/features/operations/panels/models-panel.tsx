import { groupedCount } from '#domain/format/count.ts';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import styles from '../parts.module.css';

type Model = OperationsFacts['models'][number];

const TONES = { ready: 'up', 'not-trained': 'neutral', disabled: 'down' } as const;

const COLUMNS: readonly Column<Model>[] = [
  { key: 'name', name: 'Model', cell: ({ name }) => name },
  { key: 'state', name: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{state.replace('-', ' ')}</Badge> },
  { key: 'version', name: 'Version', cell: ({ version }) => <span className={styles.code}>{version ?? '–'}</span> },
  {
    key: 'forecasts',
    name: 'Forecasts, this process',
    cell: ({ forecasts }) => groupedCount(forecasts),
    isFigure: true,
  },
  { key: 'failures', name: 'Failures', cell: ({ failures }) => failures, isFigure: true },
  {
    key: 'last',
    name: 'Last duration',
    cell: ({ lastMs }) => (lastMs === null ? '–' : `${Math.round(lastMs)} ms`),
    isFigure: true,
  },
  { key: 'reason', name: 'Reason', cell: ({ reason }) => reason ?? '' },
];

export function ModelsPanel({ state, className }: { state: OperationsState; className?: string | undefined }) {
  return (
    <Panel heading="Models" isFlush className={className}>
      <Table
        caption="Model list"
        className={styles.table}
        columns={COLUMNS}
        rows={state.models}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}
