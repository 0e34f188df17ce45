/** Codes, and the chats that they link. */
import * as z from 'zod/mini';
import { type ChatService, CODE_LIFE_MS, MOST_CHATS } from '#domain/chat/chat-channel.ts';
import type { ChatReply } from '#domain/chat/chat-texts.ts';
import { notifyOwner } from '../../backend/auth/mail/security-notices.ts';
import { lockAccount } from '../../backend/auth/user-store.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/queues/queue-rows-store.ts';
import { hashOfLinkCode } from '../link-code.ts';

/** A chat on its service; the title is cleaned. */
export interface ServiceChat {
  service: ChatService;
  chatId: string;
  title: string;
}

/**
 * The caller holds the account's lock. A former code of the service is void from now on.
 * @returns the end of its life, or null when the user already has MOST_CHATS
 */
export async function addLinkCode(
  tx: Transaction,
  userId: string,
  { service, code }: { service: ChatService; code: string },
  nowMs: number,
): Promise<number | null> {
  if ((await countOf(tx, userId)) >= MOST_CHATS) return null;
  const expiresMs = nowMs + CODE_LIFE_MS;
  await tx.query('delete from private.chat_link_codes where expires_at <= $1::text::timestamptz', [isoOf(nowMs)]);
  await tx.query(
    `insert into private.chat_link_codes (user_id, service, code_hash, expires_at)
     values ($1::text::uuid, $2::text, $3::text, $4::text::timestamptz)
     on conflict (user_id, service) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    [userId, service, hashOfLinkCode(service, code), isoOf(expiresMs)],
  );
  return expiresMs;
}

export interface Linked {
  reply: ChatReply;
  /** Of a chat that was linked now. */
  channelId: string | null;
}

/** The code is used whatever the result: others in the chat may have read it. */
export async function linkChat(
  tx: Transaction,
  chat: ServiceChat,
  code: string,
  { nowMs, sendsMails }: { nowMs: number; sendsMails: boolean },
): Promise<Linked> {
  const userId = await takeCode(tx, chat.service, code, nowMs);
  if (userId === null) return { reply: 'bad-code', channelId: null };
  const owner = await ownerOf(tx, chat);
  if (owner !== null) return { reply: owner === userId ? 'already-yours' : 'already-linked', channelId: null };
  if ((await countOf(tx, userId)) >= MOST_CHATS) return { reply: 'too-many-chats', channelId: null };
  const [added] = await tx.query<{ id: string }>(
    `insert into public.chat_channels (user_id, service, chat_id, title, linked_at)
     values ($1::text::uuid, $2::text, $3::text, $4::text, $5::text::timestamptz)
     on conflict (service, chat_id) do nothing returning id::text as id`,
    [userId, chat.service, chat.chatId, chat.title, isoOf(nowMs)],
  );
  // Another account was faster.
  if (added === undefined) return { reply: 'already-linked', channelId: null };
  if (sendsMails) await notifyOwner(tx, userId, 'chat_linked', isoOf(nowMs));
  return { reply: 'linked', channelId: added.id };
}

/**
 * Deletes a valid code. Its account is locked first, as everywhere, and the delete decides: of two transactions that found
 * the code, one deletes it. @returns whose it was; null for one that was used, has expired, never existed, or is a banned user's
 */
async function takeCode(tx: Transaction, service: ChatService, code: string, nowMs: number): Promise<string | null> {
  const params = [hashOfLinkCode(service, code), service, isoOf(nowMs)];
  const VALID = 'c.code_hash = $1::text and c.service = $2::text and c.expires_at > $3::text::timestamptz';
  const [found] = await tx.query<{ userId: string }>(
    `select c.user_id::text as "userId" from private.chat_link_codes c where ${VALID}`,
    params,
  );
  if (found === undefined) return null;
  const account = await lockAccount(tx, found.userId, isoOf(nowMs));
  const taken = await tx.query(`delete from private.chat_link_codes c where ${VALID} returning 1`, params);
  return taken.length === 1 && account !== null && !account.isBanned ? found.userId : null;
}

const ownerRow = z.object({ userId: z.string() });

async function ownerOf(tx: Transaction, { service, chatId }: ServiceChat): Promise<string | null> {
  const rows = await tx.query(
    'select user_id::text as "userId" from public.chat_channels where service = $1::text and chat_id = $2::text',
    [service, chatId],
  );
  return rows.length === 0 ? null : ownerRow.parse(rows[0]).userId;
}

async function countOf(tx: Transaction, userId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from public.chat_channels where user_id = $1::text::uuid',
    [userId],
  );
  return row?.count ?? 0;
}
