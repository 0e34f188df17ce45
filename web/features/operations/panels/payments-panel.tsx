import type { OperationsAlarm, OperationsState } from '#domain/operations/operations-state.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { countText, Facts, Moment } from '../facts.tsx';
import styles from '../parts.module.css';
import { useAcknowledge } from '../use-operations.ts';

export function PaymentsPanel({ state }: { state: OperationsState }) {
  const { payments, webhooks, database, jobs } = state;
  const { nowMs } = database;
  const sweep = jobs.find(({ name }) => name === 'billing-sweep');
  const acknowledge = useAcknowledge();
  const columns: Column<OperationsAlarm>[] = [
    { key: 'kind', name: 'Alarm', cell: ({ kind }) => kind },
    {
      key: 'done',
      name: 'Action',
      cell: ({ id, kind, subject }) => (
        <Button
          size="small"
          aria-label={`Acknowledge ${kind} for ${subject}`}
          isBusy={acknowledge.isPending && acknowledge.variables === id}
          onClick={() => acknowledge.mutate(id)}
        >
          Acknowledge
        </Button>
      ),
    },
    { key: 'subject', name: 'Subject', cell: ({ subject }) => <span className={styles.code}>{subject}</span> },
    { key: 'count', name: 'Count', cell: ({ count }) => count, isFigure: true },
    {
      key: 'first',
      name: 'First seen',
      cell: ({ firstAtMs }) => <Moment atMs={firstAtMs} nowMs={nowMs} />,
      isFigure: true,
    },
    {
      key: 'last',
      name: 'Last seen',
      cell: ({ lastAtMs }) => <Moment atMs={lastAtMs} nowMs={nowMs} />,
      isFigure: true,
    },
  ];
  return (
    <Panel
      heading="Payments"
      isFlush
      beside={<Badge tone={payments.mode === 'live' ? 'up' : 'neutral'}>{payments.mode}</Badge>}
    >
      <Facts
        facts={[
          { name: 'Customers', value: countText(payments.customers) },
          { name: 'Last sweep', value: <Moment atMs={sweep?.lastOkAtMs ?? null} nowMs={nowMs} /> },
          { name: 'Open events', value: countText(webhooks.open) },
          { name: 'Oldest open event', value: <Moment atMs={webhooks.oldestAtMs} nowMs={nowMs} /> },
          { name: 'Most attempts', value: String(webhooks.mostAttempts) },
          {
            name: 'Event errors',
            value:
              webhooks.errors.length === 0
                ? '–'
                : webhooks.errors.map(({ code, count }) => `${code} (${count})`).join(', '),
          },
          { name: 'Open alarms', value: countText(payments.openAlarms) },
        ]}
      />
      {payments.alarms.length > 0 && (
        <Table
          caption="Open billing alarms"
          className={styles.table}
          columns={columns}
          rows={payments.alarms}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  );
}
