/** An outgoing queue, without addresses or devices: its length, what was sent, and why some were delayed or failed. */
import { groupedCount } from '#domain/format/count.ts';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge, type BadgeProps } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { countText, type Fact, Facts, Moment } from '../facts.tsx';
import styles from '../parts.module.css';

type Queue = OperationsFacts['mail' | 'push'];
/** Mails have a `kind`, notifications have none. */
type Failing = Queue['errors'][number] & { kind?: string };

export interface QueuePanelProps {
  heading: string;
  itemName: string;
  queue: Queue;
  takenAtMs: number;
  badge: { tone: NonNullable<BadgeProps['tone']>; text: string } | null;
  facts?: readonly Fact[];
}

export function QueuePanel({ heading, itemName, queue, takenAtMs, badge, facts = [] }: QueuePanelProps) {
  const { waiting, oldestAtMs, sent, failed } = queue;
  const errors: readonly Failing[] = queue.errors;
  return (
    <Panel heading={heading} isFlush beside={badge !== null && <Badge tone={badge.tone}>{badge.text}</Badge>}>
      <Facts
        facts={[
          ...facts,
          { name: 'Waiting', value: countText(waiting) },
          { name: 'Oldest queued', value: <Moment atMs={oldestAtMs} nowMs={takenAtMs} /> },
          { name: 'Sent, last 24 h', value: groupedCount(sent) },
          { name: 'Failed, last 24 h', value: groupedCount(failed) },
        ]}
      />
      {errors.length > 0 && (
        <Table
          caption={`${itemName} with a sending error`}
          className={styles.table}
          columns={columnsOf(itemName, errors)}
          rows={errors}
          rowKey={({ kind = '', error }) => `${kind} ${error}`}
        />
      )}
    </Panel>
  );
}

function columnsOf(itemName: string, errors: readonly Failing[]): Column<Failing>[] {
  const kinds: Column<Failing> = { key: 'kind', name: 'Kind', cell: ({ kind }) => kind };
  return [
    ...(errors.some(({ kind }) => kind !== undefined) ? [kinds] : []),
    { key: 'error', name: 'Last error', cell: ({ error }) => error },
    { key: 'count', name: itemName, cell: ({ count }) => count, isFigure: true },
  ];
}

export function MailPanel({ state: { mail, takenAtMs } }: { state: OperationsState }) {
  return (
    <QueuePanel
      heading="Email"
      itemName="Emails"
      queue={mail}
      takenAtMs={takenAtMs}
      badge={mail.isSending ? null : { tone: 'warning', text: 'no mail server' }}
    />
  );
}

export function WebhooksPanel({ state: { deliveries, takenAtMs } }: { state: OperationsState }) {
  const { endpoints, paused, failing, waiting, dueSinceMs, sent, errors } = deliveries;
  return (
    <Panel heading="Webhooks" isFlush>
      <Facts
        facts={[
          { name: 'Endpoints', value: countText(endpoints) },
          { name: 'Paused', value: countText(paused) },
          { name: 'Failing', value: countText(failing) },
          { name: 'Waiting', value: countText(waiting) },
          { name: 'Overdue since', value: <Moment atMs={dueSinceMs} nowMs={takenAtMs} /> },
          { name: 'Delivered, last 24 h', value: groupedCount(sent) },
        ]}
      />
      {errors.length > 0 && (
        <Table
          caption="Waiting deliveries by their last error"
          className={styles.table}
          columns={columnsOf('Deliveries', errors)}
          rows={errors}
          rowKey={({ error }) => error}
        />
      )}
    </Panel>
  );
}

export function ChatsPanel({ state: { chats, takenAtMs } }: { state: OperationsState }) {
  const { kinds, linked, paused, waiting, dueSinceMs, sent, failed, errors } = chats;
  return (
    <Panel heading="Chats" isFlush>
      <Facts
        facts={[
          { name: 'Telegram', value: kinds.telegram ?? 'off' },
          { name: 'Discord', value: kinds.discord ?? 'off' },
          { name: 'Linked', value: countText(linked) },
          { name: 'Paused by the service', value: countText(paused) },
          { name: 'Waiting', value: countText(waiting) },
          { name: 'Overdue since', value: <Moment atMs={dueSinceMs} nowMs={takenAtMs} /> },
          { name: 'Sent, last 24 h', value: groupedCount(sent) },
          { name: 'Failed, last 24 h', value: groupedCount(failed) },
        ]}
      />
      {errors.length > 0 && (
        <Table
          caption="Chat messages with a sending error"
          className={styles.table}
          columns={columnsOf('Messages', errors)}
          rows={errors}
          rowKey={({ error }) => error}
        />
      )}
    </Panel>
  );
}

export function NotificationsPanel({ state: { push, takenAtMs } }: { state: OperationsState }) {
  return (
    <QueuePanel
      heading="Notifications"
      itemName="Notifications"
      queue={push}
      takenAtMs={takenAtMs}
      badge={push.kind === 'live' ? null : { tone: 'info', text: push.kind === 'off' ? 'off' : 'sandbox' }}
      facts={[{ name: 'Devices', value: countText(push.devices) }]}
    />
  );
}
