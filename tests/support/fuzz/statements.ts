/** Records each statement's time, so that slow ones can run again alone: on a busy machine every one is slow. */
import { type Database, type DatabaseCaller, OWNER, type Row } from '../../../server/platform/database/database.ts';

export interface NotedStatement {
  caller: DatabaseCaller;
  text: string;
  params: readonly unknown[] | undefined;
  /** First measured time, including all waiting. */
  seenMs: number;
}

export interface NotedDatabase {
  database: Database;
  /** Slowest first, at most five per text. */
  slowest(): NotedStatement[];
}

const MAX_NOTED = 300;

export function notingDatabase(inner: Database): NotedDatabase {
  let noted: NotedStatement[] = [];

  async function timed<T>(
    caller: DatabaseCaller,
    text: string,
    params: readonly unknown[] | undefined,
    run: () => Promise<T>,
  ): Promise<T> {
    const startedMs = performance.now();
    try {
      return await run();
    } finally {
      noted.push({ caller, text, params, seenMs: performance.now() - startedMs });
      if (noted.length > MAX_NOTED * 4) noted = slowestOf(noted);
    }
  }

  const database: Database = {
    kind: inner.kind,
    query: <T extends Row>(caller: DatabaseCaller, text: string, params?: readonly unknown[]) =>
      timed(caller, text, params, () => inner.query<T>(caller, text, params)),
    transaction: (caller, work, options) =>
      inner.transaction(
        caller,
        (tx) =>
          work({
            query: <T extends Row>(text: string, params?: readonly unknown[]) =>
              timed(caller, text, params, () => tx.query<T>(text, params)),
          }),
        options,
      ),
    listen: (channel, handler) => inner.listen(channel, handler),
    close: () => inner.close(),
  };
  return { database, slowest: () => slowestOf(noted) };
}

/** The same text with other values may be slow for another reason: up to five of each remain. */
function slowestOf(noted: readonly NotedStatement[]): NotedStatement[] {
  const seen = new Map<string, number>();
  return [...noted]
    .sort((a, b) => b.seenMs - a.seenMs)
    .filter(({ text }) => {
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      return count < 5;
    })
    .slice(0, MAX_NOTED);
}

class Undone extends Error {}

/**
 * The shortest of up to three runs, each rolled back; stops at the first below the limit. Refused ones are timed too.
 */
export async function aloneMs(
  database: Database,
  { caller, text, params }: NotedStatement,
  limitMs: number,
): Promise<number> {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && shortestMs > limitMs; run += 1) {
    let startedMs = 0;
    let tookMs = 0;
    try {
      await database.transaction(caller, async (tx) => {
        startedMs = performance.now();
        try {
          await tx.query(text, params);
        } finally {
          tookMs = performance.now() - startedMs;
        }
        throw new Undone();
      });
    } catch {
      // Rolled back on purpose, or refused by the database: the time is known either way.
    }
    shortestMs = Math.min(shortestMs, tookMs);
  }
  return shortestMs;
}

/** Transactions that were left open. Only PostgreSQL can report them. */
export async function openTransactions(database: Database): Promise<number> {
  if (database.kind === 'pglite') return 0;
  const rows = await database.query(
    OWNER,
    "select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  return rows.length;
}
