/**
 * PGlite has no autovacuum: without this the folder grows forever, and joins are planned for one row and take minutes:
 * docs/decisions/051-embedded-database.md. It has no checkpointer either: its log grows until a checkpoint, and a start after
 * a crash replays all of it.
 */
import * as z from 'zod/mini';
import type { SessionPool } from '../session-pool.ts';

export interface Vacuumed {
  /**
   * Vacuums and analyses every table that is due, one statement each, so that other callers get turns in between. Stops
   * early, between two tables, when `signal` aborts; else it ends with a checkpoint.
   * @returns the names of the vacuumed tables
   * @throws AppError `database/busy`, `database/unavailable`
   */
  vacuum(signal: AbortSignal): Promise<string[]>;
}

/** 8 MiB. Up to this size a vacuum takes some milliseconds, so it runs without checking for changes. */
const SMALL_PAGES = 1024;
/** A larger table is due after growing by a fifth, as in autovacuum, or a day after its last vacuum. */
const GROWTH = 1.2;
const DAY_MS = 86_400_000;

/**
 * PGlite does not count changed rows, so sizes decide. JSON and byte columns are not analysed: no query searches by
 * them, and comparing them takes most of the time.
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

/**
 * Outside any transaction, as VACUUM must be, and without a limit: the first run takes as long as the table is large.
 */
export function vacuumOver(pool: Pick<SessionPool, 'use'>): Vacuumed['vacuum'] {
  const run = (text: string) => pool.use((session) => session.send(text, null));
  /** Monotonic time of each table's last vacuum; a table new to this process counts from its first check. */
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
    if (!signal.aborted) await run('checkpoint');
    return done;
  };
}
