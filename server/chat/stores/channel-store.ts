/** Linked chats: as their owner changes them, and as events of their service do. */
import * as z from 'zod/mini';
import { type ChatPauseReason, type ChatService, MOST_REFUSALS } from '#domain/chat/chat-channel.ts';
import type { Queries, Transaction } from '../../platform/database/database.ts';

const OWN = 'c.id = $1::text::uuid and c.user_id = $2::text::uuid';

/** Drops what waits for chats: `paused (id)`. An alert is worth nothing once the chat is resumed. */
const DROPPED = `dropped as (
  update private.chat_messages m set state = 'failed', text_body = null, last_error = 'paused'
    from paused where m.channel_id = paused.id and m.state = 'waiting')`;

/** Pausing a paused chat, and the reverse, changes nothing. @returns false for another user's chat and an unlinked one */
export async function changeChannel(
  queries: Queries,
  userId: string,
  { id, kinds, state }: { id: string; kinds: readonly string[]; state: 'active' | 'paused' },
): Promise<boolean> {
  const rows = await queries.query<{ count: number }>(
    `with changed as (
       update public.chat_channels c
          set kinds = $3::text[], state = $4::text, refusals = case when $4::text = 'active' then 0 else c.refusals end,
              pause_reason = case when $4::text = 'paused' then coalesce(c.pause_reason, 'owner') end
        where ${OWN} returning c.id),
     paused as (select id from changed where $4::text = 'paused'),
     ${DROPPED}
     select id from changed`,
    [id, userId, [...kinds], state],
  );
  return rows.length === 1;
}

export async function removeChannel(queries: Queries, userId: string, id: string): Promise<boolean> {
  const rows = await queries.query(`delete from public.chat_channels c where ${OWN} returning 1`, [id, userId]);
  return rows.length === 1;
}

const channelRow = z.object({
  id: z.string(),
  service: z.enum(['telegram', 'discord']),
  chatId: z.string(),
  state: z.enum(['active', 'paused']),
});
export type StoredChannel = z.infer<typeof channelRow>;
const CHANNEL = `select c.id::text as id, c.service, c.chat_id as "chatId", c.state from public.chat_channels c`;

export async function findChannel(queries: Queries, userId: string, id: string): Promise<StoredChannel | null> {
  return first(await queries.query(`${CHANNEL} where ${OWN}`, [id, userId]));
}

export async function findChannelOf(
  queries: Queries,
  { service, chatId }: { service: ChatService; chatId: string },
): Promise<StoredChannel | null> {
  return first(
    await queries.query(`${CHANNEL} where c.service = $1::text and c.chat_id = $2::text`, [service, chatId]),
  );
}

function first(rows: readonly unknown[]): StoredChannel | null {
  return rows.length === 0 ? null : channelRow.parse(rows[0]);
}

/** @returns whether the chat was linked */
export async function unlinkChat(
  tx: Transaction,
  { service, chatId }: { service: ChatService; chatId: string },
): Promise<boolean> {
  const rows = await tx.query(
    'delete from public.chat_channels where service = $1::text and chat_id = $2::text returning 1',
    [service, chatId],
  );
  return rows.length === 1;
}

/** Leaves the reason of a chat that is paused already. */
export async function pauseChannel(
  queries: Queries,
  id: string,
  reason: Exclude<ChatPauseReason, 'owner'>,
): Promise<void> {
  await queries.query(
    `with paused as (
       update public.chat_channels c set state = 'paused', pause_reason = $2::text
        where c.id = $1::text::uuid and c.state = 'active' returning c.id),
     ${DROPPED}
     select 1 from paused`,
    [id, reason],
  );
}

/** Counts a message that the service refused for good. The third in a row pauses the chat. @returns whether it did */
export async function countRefusal(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(
    `with counted as (
       update public.chat_channels c
          set refusals = c.refusals + 1,
              state = case when c.refusals + 1 >= $2::int then 'paused' else 'active' end,
              pause_reason = case when c.refusals + 1 >= $2::int then 'refused' end
        where c.id = $1::text::uuid and c.state = 'active' returning c.id, c.state),
     paused as (select id from counted where state = 'paused'),
     ${DROPPED}
     select 1 from paused`,
    [id, MOST_REFUSALS],
  );
  return rows.length > 0;
}

/** After the bot was allowed again; a chat that its owner paused stays paused. */
export async function resumeBlocked(queries: Queries, id: string): Promise<void> {
  await queries.query(
    `update public.chat_channels set state = 'active', pause_reason = null, refusals = 0
      where id = $1::text::uuid and pause_reason = 'blocked'`,
    [id],
  );
}

/** A group became a supergroup, which has another id. Nothing is changed if that one is linked already. */
export async function moveChat(
  queries: Queries,
  { service, chatId, movedTo }: { service: ChatService; chatId: string; movedTo: string },
): Promise<void> {
  await queries.query(
    `with moved as (
       update public.chat_channels c set chat_id = $3::text
        where c.service = $1::text and c.chat_id = $2::text and not exists (
          select from public.chat_channels o where o.service = $1::text and o.chat_id = $3::text)
       returning 1)
     update private.chat_messages m set chat_id = $3::text
      where m.service = $1::text and m.chat_id = $2::text and m.state = 'waiting' and exists (select from moved)`,
    [service, chatId, movedTo],
  );
}
