import type { OperationsState } from '#domain/operations/operations-state.ts';
import { QueuePanel } from './queue-panel.tsx';

export function MailPanel({ state: { mail, takenAtMs } }: { state: OperationsState }) {
  return (
    <QueuePanel
      heading="Mail"
      things="Mails"
      queue={mail}
      takenAtMs={takenAtMs}
      badge={mail.isSending ? null : { tone: 'warning', words: 'no mail server' }}
    />
  );
}
