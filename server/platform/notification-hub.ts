/** Who listens to which channel over one session. A new session of the same database listens to all of them again. */
import type { SqlSession } from './sql-session.ts';

export interface NotificationHub {
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  /** For SessionEvents.onNotify. */
  deliver(channel: string, payload: string): void;
  listenAgain(session: SqlSession): Promise<void>;
}

type Handler = (payload: string) => void;

/** @param use runs a piece of work on the session that listens, outside any transaction */
export function notificationHub(use: <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>): NotificationHub {
  const handlers = new Map<string, Set<Handler>>();

  async function listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const ofChannel = handlers.get(channel) ?? new Set();
    handlers.set(channel, ofChannel);
    ofChannel.add(handler);
    await use((session) => session.send(`listen ${quoted(channel)}`, null));
    return async () => {
      ofChannel.delete(handler);
      if (ofChannel.size > 0 || handlers.get(channel) !== ofChannel) return;
      handlers.delete(channel);
      await use((session) => session.send(`unlisten ${quoted(channel)}`, null));
    };
  }

  function deliver(channel: string, payload: string): void {
    for (const handler of [...(handlers.get(channel) ?? [])]) handler(payload);
  }

  async function listenAgain(session: SqlSession): Promise<void> {
    for (const channel of handlers.keys()) await session.send(`listen ${quoted(channel)}`, null);
  }

  return { listen, deliver, listenAgain };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
