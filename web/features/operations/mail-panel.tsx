/** The queue of outgoing mail, without anybody's address. */
import { groupedCount } from '#domain/format/count.ts';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { countText, Facts } from './facts.tsx';
import { Moment } from './moment.tsx';
import styles from './parts.module.css';

type MailError = OperationsFacts['mail']['errors'][number];

const COLUMNS: readonly Column<MailError>[] = [
  { key: 'kind', name: 'Kind', cell: ({ kind }) => kind },
  { key: 'error', name: 'Last error', cell: ({ error }) => error },
  { key: 'count', name: 'Mails', cell: ({ count }) => count, isFigure: true },
];

export function MailPanel({ state: { mail, takenAtMs } }: { state: OperationsState }) {
  const { isSending, waiting, oldestAtMs, sent, failed, errors } = mail;
  return (
    <Panel heading="Mail" isFlush beside={!isSending && <Badge tone="warning">no mail server</Badge>}>
      <Facts
        facts={[
          { name: 'Waiting', value: countText(waiting) },
          { name: 'Oldest written', value: <Moment atMs={oldestAtMs} nowMs={takenAtMs} /> },
          { name: 'Sent, of a day', value: groupedCount(sent) },
          { name: 'Given up, of a day', value: groupedCount(failed) },
        ]}
      />
      {errors.length > 0 && (
        <Table
          caption="Mails that were not sent at once"
          className={styles.table}
          columns={COLUMNS}
          rows={errors}
          rowKey={({ kind, error }) => `${kind} ${error}`}
        />
      )}
    </Panel>
  );
}
