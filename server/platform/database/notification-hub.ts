/** Tracks the listeners of each channel on one session. A new session of the same database resubscribes to them all. */
import type { SqlSession } from './sql/sql-session.ts';

export interface NotificationHub {
  /** @returns a function that unsubscribes and never fails */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  deliver(channel: string, payload: string): void;
  /**
   * Resubscribes and calls every listener with an empty payload, because notifications sent in the meantime are lost.
   */
  listenAgain(session: SqlSession): Promise<void>;
}

type Handler = (payload: string) => void;

/** @param use  runs work on the listening session, outside any transaction */
export function notificationHub(use: <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>): NotificationHub {
  const handlers = new Map<string, Set<Handler>>();
  /** Channels that an earlier session listened to, where a new session may have missed notifications. */
  const listened = new Set<string>();

  async function listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const ofChannel = handlers.get(channel) ?? new Set();
    handlers.set(channel, ofChannel);
    ofChannel.add(handler);
    try {
      await use((session) => session.send(`listen ${quote(channel)}`, null));
    } catch (error) {
      remove(channel, ofChannel, handler);
      throw error;
    }
    listened.add(channel);
    return async () => {
      if (!remove(channel, ofChannel, handler)) return;
      try {
        await use((session) => session.send(`unlisten ${quote(channel)}`, null));
      } catch {
        // The listening session may have ended; the next one then does not resubscribe. If it still lives, its
        // notifications reach no handler. Unsubscribing must not fail either way.
      }
    };
  }

  /** @returns true when the channel has no listeners left */
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
      await session.send(`listen ${quote(channel)}`, null);
      if (listened.has(channel)) deliver(channel, '');
    }
  }

  return { listen, deliver, listenAgain };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
