/** The queue of push notifications. */
import type { OperationsState } from '#domain/operations/operations-state.ts';
import { countText } from '../facts.tsx';
import { QueuePanel } from './queue-panel.tsx';

export function NotificationsPanel({ state: { push, takenAtMs } }: { state: OperationsState }) {
  return (
    <QueuePanel
      heading="Notifications"
      things="Notifications"
      queue={push}
      takenAtMs={takenAtMs}
      badge={push.kind === 'live' ? null : { tone: 'info', words: push.kind === 'off' ? 'off' : 'stand-in' }}
      facts={[{ name: 'Devices', value: countText(push.devices) }]}
    />
  );
}
