/**
 * What autovacuum does on a PostgreSQL server and nobody in PGlite: space that updates and deletes left is used again, and
 * the planner knows how many rows there are. Without, the folder grows for ever, and a join of two tables of some
 * thousand rows was planned as if each had one, and took minutes. See docs/decisions/051-vacuum-in-pglite.md.
 */
import * as z from 'zod/mini';
import type { SessionPool } from '../postgres/session-pool.ts';

/** A database that nobody vacuums unless it is told to. */
export interface Vacuumed {
  /**
   * Vacuums and analyses every table that is due, one statement each: whoever waits gets a turn in between. Ends
   * early, between two of them, when `signal` aborts.
   *
   * @returns their names
   * @throws AppError `database/busy`, `database/unavailable`
   */
  vacuum(signal: AbortSignal): Promise<string[]>;
}

/** 8 MiB: up to there it takes some milliseconds, and nobody needs to know whether anything has changed. */
const SMALL_PAGES = 1024;
/** A larger one is due once it has grown by a fifth, as autovacuum has it, or a day after the last time. */
const GROWTH = 1.2;
const DAY_MS = 86_400_000;

/**
 * PGlite counts no changed rows. A table's size after the last time stands in the catalogue, its overflow's (TOAST)
 * beside it. Documents are not analysed: nothing is searched by them, and comparing them takes most of the time.
 */
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
         coalesce((select '(' || string_agg(format('%I', a.attname), ', ' order by a.attnum) || ')'
                     from pg_attribute a
                    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                      and a.atttypid not in ('json'::regtype, 'jsonb'::regtype, 'bytea'::regtype)), '') as columns,
         pages.now <= ${SMALL_PAGES} or c.reltuples < 0 or pages.now > pages.before * ${GROWTH} as "isDue"
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_class t on t.oid = c.reltoastrelid
    cross join lateral (
           select (pg_relation_size(c.oid) + coalesce(pg_relation_size(t.oid), 0)) / current_setting('block_size')::int as now,
                  c.relpages + coalesce(t.relpages, 0) as before) pages
   where c.relkind = 'r' and c.relpersistence = 'p'
   order by c.oid`;
const tablesSchema = z.array(z.object({ name: z.string(), columns: z.string(), isDue: z.boolean() }));

/** Outside any transaction, as VACUUM must be, and with no limit: its first time takes as long as the table is large. */
export function vacuumOver(pool: Pick<SessionPool, 'use'>): Vacuumed['vacuum'] {
  const run = (text: string) => pool.use((session) => session.send(text, null));
  /** By the monotonic clock; what this process has not met counts from its first look. */
  const lastMs = new Map<string, number>();
  return async (signal) => {
    const tables = tablesSchema.parse((await run(TABLES)).rows);
    const done: string[] = [];
    for (const { name, columns, isDue } of tables) {
      if (signal.aborted) break;
      const nowMs = performance.now();
      const isOverdue = nowMs - (lastMs.get(name) ?? nowMs) > DAY_MS;
      if (isDue || isOverdue || !lastMs.has(name)) lastMs.set(name, nowMs);
      if (!isDue && !isOverdue) continue;
      await run(columns === '' ? `vacuum ${name}` : `vacuum (analyze) ${name} ${columns}`);
      done.push(name);
    }
    return done;
  };
}
