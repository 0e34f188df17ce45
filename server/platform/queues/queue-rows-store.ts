import type { Queries } from '../database/database.ts';

export interface QueueTable {
  table: 'private.outgoing_mail' | 'private.outgoing_pushes' | 'private.chat_messages';
  /** Columns with user content, which are erased once a row is finished. */
  contents: readonly string[];
}

export interface ClaimedRow {
  id: string;
  /** Including the current one. */
  attempts: number;
}

export interface QueueRows<Row extends ClaimedRow> {
  /** Schedules another try, unless another process has claimed the row in the meantime. */
  putBack(row: Row, nextTryMs: number, reason: string): Promise<void>;
  /** Marks the row as failed and erases its content. */
  giveUp(row: Row, reason: string): Promise<void>;
  /** When the next row is due or its lease expires; null if no row waits. */
  nextDueMs(): Promise<number | null>;
  /** Removes finished rows created before a time. @returns how many */
  removeOld(beforeMs: number): Promise<number>;
}

/** Rows per statement, so that no statement takes long. */
const REMOVAL_BATCH = 1000;

/** Epoch milliseconds as a parameter `text::timestamptz`. */
export const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

/** `due (id)` for `$2` rows at time `$1`. Materialized, because a plan that runs it twice would claim more rows. */
export function dueRows({ table }: QueueTable): string {
  return `with due as materialized (
    select id from ${table}
     where state = 'waiting' and next_try_at <= $1::text::timestamptz
     order by next_try_at limit $2::int for update skip locked)`;
}

/** Part of a `set` clause that erases the content. */
export function emptied({ contents }: QueueTable): string {
  return contents.map((column) => `${column} = null`).join(', ');
}

export function queueRows<Row extends ClaimedRow>(queries: Queries, queue: QueueTable): QueueRows<Row> {
  const { table } = queue;
  return {
    async putBack(row, nextTryMs, reason) {
      await queries.query(
        `update ${table} set next_try_at = $3::text::timestamptz, last_error = $4::text
          where id = $1::text::uuid and state = 'waiting' and attempts = $2::int`,
        [row.id, row.attempts, isoOf(nextTryMs), reason],
      );
    },
    async giveUp(row, reason) {
      await queries.query(
        `update ${table} set state = 'failed', ${emptied(queue)}, last_error = $3::text
          where id = $1::text::uuid and state = 'waiting' and attempts = $2::int`,
        [row.id, row.attempts, reason],
      );
    },
    async nextDueMs() {
      const [row] = await queries.query<{ due: number | null }>(
        `select extract(epoch from min(next_try_at))::double precision * 1000 as due
           from ${table} where state = 'waiting'`,
      );
      return row?.due ?? null;
    },
    async removeOld(beforeMs) {
      let removed = 0;
      for (;;) {
        const rows = await queries.query(
          `delete from ${table} where id in (
             select id from ${table}
              where state <> 'waiting' and created_at < $1::text::timestamptz
              order by created_at limit $2::int for update skip locked)
           returning id`,
          [isoOf(beforeMs), REMOVAL_BATCH],
        );
        removed += rows.length;
        if (rows.length < REMOVAL_BATCH) return removed;
      }
    },
  };
}
