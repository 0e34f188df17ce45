/** The queue of notifications to browsers, without anybody's device. */
import { groupedCount } from '#domain/format/count.ts';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { countText, Facts } from './facts.tsx';
import { Moment } from './moment.tsx';
import styles from './parts.module.css';

type PushError = OperationsFacts['push']['errors'][number];

const COLUMNS: readonly Column<PushError>[] = [
  { key: 'error', name: 'Last error', cell: ({ error }) => error },
  { key: 'count', name: 'Notifications', cell: ({ count }) => count, isFigure: true },
];

export function NotificationsPanel({ state: { push, takenAtMs } }: { state: OperationsState }) {
  const { kind, devices, waiting, oldestAtMs, sent, failed, errors } = push;
  return (
    <Panel
      heading="Notifications"
      isFlush
      beside={kind !== 'live' && <Badge tone="info">{kind === 'off' ? 'off' : 'stand-in'}</Badge>}
    >
      <Facts
        facts={[
          { name: 'Devices', value: countText(devices) },
          { name: 'Waiting', value: countText(waiting) },
          { name: 'Oldest written', value: <Moment atMs={oldestAtMs} nowMs={takenAtMs} /> },
          { name: 'Sent, of a day', value: groupedCount(sent) },
          { name: 'Given up, of a day', value: groupedCount(failed) },
        ]}
      />
      {errors.length > 0 && (
        <Table
          caption="Notifications that were not sent at once"
          className={styles.table}
          columns={COLUMNS}
          rows={errors}
          rowKey={({ error }) => error}
        />
      )}
    </Panel>
  );
}
