/** Discord's commands that had their effect, as long as their signature would be accepted once more. */
import type { Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/queues/queue-rows-store.ts';

/**
 * Also deletes those that have expired. A second transaction with the same id waits for the first one's end.
 * @param validUntilMs  when the command's signature becomes too old
 * @returns false for a command that had its effect already; the transaction then must have none
 */
export async function takeInteraction(
  tx: Transaction,
  id: string,
  { validUntilMs, nowMs }: { validUntilMs: number; nowMs: number },
): Promise<boolean> {
  await tx.query('delete from private.chat_interactions where expires_at < $1::text::timestamptz', [isoOf(nowMs)]);
  const taken = await tx.query(
    `insert into private.chat_interactions (id, expires_at) values ($1::text, $2::text::timestamptz)
     on conflict (id) do nothing returning 1`,
    [id, isoOf(validUntilMs)],
  );
  return taken.length === 1;
}
