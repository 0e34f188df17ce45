/** Who listens to which channel over one session. A new session of the same database listens to all of them again. */
import type { SqlSession } from './sql/sql-session.ts';

export interface NotificationHub {
  /** @returns stops, and never fails */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  /** For SessionEvents.onNotify. */
  deliver(channel: string, payload: string): void;
  /** Tells every listener with an empty payload: what was said while nobody listened is lost. */
  listenAgain(session: SqlSession): Promise<void>;
}

type Handler = (payload: string) => void;

/** @param use runs a piece of work on the session that listens, outside any transaction */
export function notificationHub(use: <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>): NotificationHub {
  const handlers = new Map<string, Set<Handler>>();
  /** Channels that some session has listened to: to a session that listens again, something may have been lost. */
  const listened = new Set<string>();

  async function listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const ofChannel = handlers.get(channel) ?? new Set();
    handlers.set(channel, ofChannel);
    ofChannel.add(handler);
    try {
      await use((session) => session.send(`listen ${quoted(channel)}`, null));
    } catch (error) {
      remove(channel, ofChannel, handler);
      throw error;
    }
    listened.add(channel);
    return async () => {
      if (!remove(channel, ofChannel, handler)) return;
      try {
        await use((session) => session.send(`unlisten ${quoted(channel)}`, null));
      } catch {
        // The session that listened is gone and the next one does not begin again; if it is not, what it hears reaches
        // nobody. A stop must not fail for that.
      }
    };
  }

  /** @returns true when nobody is left who listens to the channel */
  function remove(channel: string, ofChannel: Set<Handler>, handler: Handler): boolean {
    ofChannel.delete(handler);
    if (ofChannel.size > 0 || handlers.get(channel) !== ofChannel) return false;
    listened.delete(channel);
    return handlers.delete(channel);
  }

  function deliver(channel: string, payload: string): void {
    for (const handler of [...(handlers.get(channel) ?? [])]) handler(payload);
  }

  async function listenAgain(session: SqlSession): Promise<void> {
    for (const channel of [...handlers.keys()]) {
      await session.send(`listen ${quoted(channel)}`, null);
      if (listened.has(channel)) deliver(channel, '');
    }
  }

  return { listen, deliver, listenAgain };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
