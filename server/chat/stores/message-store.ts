/** The queue of messages. Of a chat, the oldest waiting one is due, once none of the chat's others is under way or put back. */
import * as z from 'zod/mini';
import type { ChatAlert } from '#domain/chat/chat-alert.ts';
import type { ChatService } from '#domain/chat/chat-channel.ts';
import { asOwner, type Database, OWNER, type Queries } from '../../platform/database/database.ts';
import {
  type ClaimedRow,
  emptied,
  isoOf,
  type QueueRows,
  type QueueTable,
  queueRows,
} from '../../platform/queues/queue-rows-store.ts';

/** Notified on every new message, so that it is sent immediately. */
export const CHAT_CHANNEL = 'kat_chat';

/**
 * In the caller's transaction; sent after the commit. Reaches each active chat that chose the kind, unless its owner is
 * banned. @returns the number of messages
 */
export async function queueAlerts(queries: Queries, alerts: readonly ChatAlert[], nowIso: string): Promise<number> {
  if (alerts.length === 0) return 0;
  const rows = await queries.query(
    `with given as materialized (
       select * from jsonb_to_recordset($1::text::jsonb)
         as g ("userId" uuid, kind text, key text, text text, "predictionId" uuid, "ttlS" int)),
     queued as (
       insert into private.chat_messages (service, chat_id, channel_id, key, text_body, prediction_id, next_try_at, expires_at, created_at)
       select c.service, c.chat_id, c.id, g.key, g.text, g."predictionId", $2::text::timestamptz,
              $2::text::timestamptz + make_interval(secs => g."ttlS"), $2::text::timestamptz
         from given g
         join public.chat_channels c on c.user_id = g."userId" and c.state = 'active' and g.kind = any (c.kinds)
         join auth.users u on u.id = c.user_id and coalesce(u.banned_until <= $2::text::timestamptz, true)
       on conflict (channel_id, key) do nothing
       returning id)
     select pg_notify($3::text, '') from queued`,
    [JSON.stringify(alerts), nowIso, CHAT_CHANNEL],
  );
  return rows.length;
}

export interface OneMessage {
  service: ChatService;
  chatId: string;
  /** Null: the chat isn't linked. */
  channelId: string | null;
  key: string;
  text: string;
  ttlS: number;
}

/** A reply or a test: regardless of what the chat chose. */
export async function queueMessage(queries: Queries, message: OneMessage, nowIso: string): Promise<void> {
  const { service, chatId, channelId, key, text, ttlS } = message;
  await queries.query(
    `with queued as (
       insert into private.chat_messages (service, chat_id, channel_id, key, text_body, next_try_at, expires_at, created_at)
       values ($1::text, $2::text, $3::text::uuid, $4::text, $5::text, $6::text::timestamptz,
               $6::text::timestamptz + make_interval(secs => $7::int), $6::text::timestamptz)
       on conflict (channel_id, key) do nothing
       returning id)
     select pg_notify($8::text, '') from queued`,
    [service, chatId, channelId, key, text, nowIso, ttlS, CHAT_CHANNEL],
  );
}

const claimedRow = z.object({
  id: z.string(),
  service: z.enum(['telegram', 'discord']),
  chatId: z.string(),
  channelId: z.nullable(z.string()),
  text: z.string(),
  /** Null too if it isn't the chat's owner's, or was deleted. */
  predictionId: z.nullable(z.string()),
  expiresMs: z.number(),
  attempts: z.number(),
});
export type ClaimedMessage = z.infer<typeof claimedRow> & ClaimedRow;

export interface ChatQueue extends QueueRows<ClaimedMessage> {
  /** Longest overdue first. No other process gets them until `leaseEndsMs`, even if this process dies. */
  claim(count: number, nowMs: number, leaseEndsMs: number): Promise<ClaimedMessage[]>;
  /** Marks it as sent, erases its content and records when the chat last got a message. */
  markSent(message: ClaimedMessage, nowMs: number): Promise<void>;
}

const TABLE: QueueTable = { table: 'private.chat_messages', contents: ['text_body'] };
/**
 * One process claims at a time. Two that claim together could see different oldest messages of a chat, if an older one is
 * committed between them.
 */
const CLAIM_LOCK = 'select pg_advisory_xact_lock(7203128)';
const CLAIM = `
  with due as materialized (
    select m.service, m.chat_id, min(m.place) as place from private.chat_messages m
     where m.state = 'waiting' group by m.service, m.chat_id
    having max(m.next_try_at) <= $1::text::timestamptz
     order by max(m.next_try_at) limit $2::int)
  update private.chat_messages m set attempts = m.attempts + 1, next_try_at = $3::text::timestamptz
    from due where m.service = due.service and m.chat_id = due.chat_id and m.place = due.place and m.state = 'waiting'
  returning m.id::text as id, m.service, m.chat_id as "chatId", m.channel_id::text as "channelId", m.text_body as text,
    (select p.id::text from public.user_predictions p join public.chat_channels c on c.user_id = p.user_id
      where p.id = m.prediction_id and c.id = m.channel_id) as "predictionId",
    extract(epoch from m.expires_at)::double precision * 1000 as "expiresMs", m.attempts`;

export function chatQueue(database: Database): ChatQueue {
  const queries = asOwner(database);
  return {
    ...queueRows<ClaimedMessage>(queries, TABLE),
    async claim(count, nowMs, leaseEndsMs) {
      return database.transaction(OWNER, async (tx) => {
        await tx.query(CLAIM_LOCK);
        return z.array(claimedRow).parse(await tx.query(CLAIM, [isoOf(nowMs), count, isoOf(leaseEndsMs)]));
      });
    },
    async nextDueMs() {
      const [row] = await queries.query<{ due: number | null }>(
        `select extract(epoch from min(due))::double precision * 1000 as due from (
           select max(next_try_at) as due from private.chat_messages where state = 'waiting' group by service, chat_id) chats`,
      );
      return row?.due ?? null;
    },
    async markSent(message, nowMs) {
      await queries.query(
        `with sent as (
           update private.chat_messages set state = 'sent', sent_at = $2::text::timestamptz, ${emptied(TABLE)}, last_error = null
            where id = $1::text::uuid and state = 'waiting' returning channel_id)
         update public.chat_channels c set last_sent_at = $2::text::timestamptz, refusals = 0
           from sent where c.id = sent.channel_id`,
        [message.id, isoOf(nowMs)],
      );
    },
  };
}
