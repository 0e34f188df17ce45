/** The bot's queue of updates: read by long poll, and confirmed by a higher offset (Bot API, getUpdates). */

export interface SentUpdate {
  update_id: number;
  [kind: string]: unknown;
}

export interface UpdatesQuery {
  /** The first wanted update, which confirms all before it; negative: counted from the newest. */
  offset: number;
  limit: number;
  timeoutMs: number;
  /** Null: as in the former call. */
  allowed: readonly string[] | null;
}

export interface TelegramUpdates {
  /** Kinds that were not allowed when they happened are lost, as on the service. */
  add(kind: string, content: unknown): void;
  /** Null: another poll has begun meanwhile. */
  poll(query: UpdatesQuery, signal: AbortSignal): Promise<readonly SentUpdate[] | null>;
  /** Answers every open poll, so that the sandbox can close. */
  close(): void;
}

/** Not sent unless they are requested by name; the sandbox makes neither of them. */
const NOT_BY_DEFAULT = ['chat_member', 'message_reaction', 'message_reaction_count'];
const MOST_STORED = 1000;

/** @param nowMs  numbers begin with the time, so that a bot that has read more before a restart misses none */
export function openUpdates(nowMs: number = Date.now()): TelegramUpdates {
  let waiting: SentUpdate[] = [];
  let nextId = Math.floor(nowMs / 1000);
  let allowed: readonly string[] = [];
  let current: { end(result: 'replaced' | 'checked'): void } | null = null;

  const isAllowed = (kind: string) => (allowed.length === 0 ? !NOT_BY_DEFAULT.includes(kind) : allowed.includes(kind));

  function confirm(offset: number): void {
    waiting = offset < 0 ? waiting.slice(offset) : waiting.filter(({ update_id }) => update_id >= offset);
  }

  return {
    add(kind, content) {
      if (!isAllowed(kind)) return;
      waiting.push({ update_id: nextId, [kind]: content });
      nextId += 1;
      if (waiting.length > MOST_STORED) waiting.shift();
      current?.end('checked');
    },
    async poll(query, signal) {
      current?.end('replaced');
      if (query.allowed !== null) allowed = query.allowed;
      confirm(query.offset);
      if (waiting.length > 0 || query.timeoutMs === 0 || signal.aborted) return waiting.slice(0, query.limit);
      const { promise, resolve } = Promise.withResolvers<'replaced' | 'checked'>();
      const own = { end: resolve };
      current = own;
      const timer = setTimeout(() => resolve('checked'), query.timeoutMs);
      signal.addEventListener('abort', () => resolve('checked'), { once: true });
      const result = await promise;
      clearTimeout(timer);
      if (current === own) current = null;
      return result === 'replaced' ? null : waiting.slice(0, query.limit);
    },
    close: () => current?.end('checked'),
  };
}
