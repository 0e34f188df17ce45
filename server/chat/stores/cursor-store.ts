/** Where a bot's updates are read from. Moved in the transaction of an update's effect, so that it has its effect once. */
import type { Queries, Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/queues/queue-rows-store.ts';

/** After a week without updates Telegram continues with a random number, which may be lower. */
const SEQUENTIAL_MS = 6 * 24 * 3_600_000;

/** Null: every update that was not confirmed. */
export async function nextUpdate(queries: Queries, bot: string, nowMs: number): Promise<number | null> {
  const [row] = await queries.query<{ next: number }>(
    `select next_update::float8 as next from private.chat_cursors
      where bot = $1::text and moved_at > $2::text::timestamptz`,
    [bot, isoOf(nowMs - SEQUENTIAL_MS)],
  );
  return row?.next ?? null;
}

/** @returns false for an update that had its effect already; the transaction then must have none */
export async function passUpdate(tx: Transaction, bot: string, updateId: number, nowMs: number): Promise<boolean> {
  const rows = await tx.query(
    `insert into private.chat_cursors as c (bot, next_update, moved_at)
     values ($1::text, $2::bigint + 1, $3::text::timestamptz)
     on conflict (bot) do update set next_update = excluded.next_update, moved_at = excluded.moved_at
      where c.next_update <= $2::bigint or c.moved_at <= $4::text::timestamptz
     returning 1`,
    [bot, updateId, isoOf(nowMs), isoOf(nowMs - SEQUENTIAL_MS)],
  );
  return rows.length === 1;
}
