/** What both bots do on a command: the same rules, limits and texts. */

import type { ChatReply } from '#domain/chat/chat-texts.ts';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { RateLimiter, RateLimiterOf } from '../platform/http/guards/rate-limit.ts';
import { readLinkCode } from './link-code.ts';
import { findChannelOf, unlinkChat } from './stores/channel-store.ts';
import { type Linked, linkChat, type ServiceChat } from './stores/link-store.ts';

export type ChatCommand = { kind: 'link'; code: string } | { kind: 'unlink' | 'status' | 'help' };

/** Codes that one chat may try, right or wrong. */
const CODES = { points: 10, perS: 60 * 60 };
/** Replies to one chat: beyond them the bot is silent, so that no one makes it write without end. */
const REPLIES = { points: 30, perS: 10 * 60 };

export interface CommandLimits {
  /** Before the command's transaction. @returns false for a chat that tried too many codes */
  mayTryCode(chat: ServiceChat): Promise<boolean>;
  mayReply(chat: ServiceChat): Promise<boolean>;
}

export function commandLimits(limiterOf: RateLimiterOf): CommandLimits {
  const codes = limiterOf(CODES, 'chat-codes');
  const replies = limiterOf(REPLIES, 'chat-replies');
  const keyOf = ({ service, chatId }: ServiceChat) => `${service} ${chatId}`;
  return {
    mayTryCode: (chat) => isLeft(codes, keyOf(chat)),
    mayReply: (chat) => isLeft(replies, keyOf(chat)),
  };
}

async function isLeft(limiter: RateLimiter, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === 'request/too-many') return false;
    throw error;
  }
}

export interface CommandContext {
  nowMs: number;
  /** False: there is no mail transport. */
  sendsMails: boolean;
  mayTryCode: boolean;
  /** In a group anyone may write a command: only the owner unlinks it, on the site. */
  mayUnlink: boolean;
}

/** The effect of a command, in the caller's transaction. */
export async function runCommand(
  tx: Transaction,
  chat: ServiceChat,
  command: ChatCommand,
  context: CommandContext,
): Promise<Linked> {
  if (command.kind === 'link') {
    if (!context.mayTryCode) return { reply: 'too-many-tries', channelId: null };
    const code = readLinkCode(command.code);
    return code === null ? { reply: 'bad-code', channelId: null } : linkChat(tx, chat, code, context);
  }
  return { reply: await replyTo(tx, chat, command.kind, context), channelId: null };
}

async function replyTo(
  tx: Transaction,
  chat: ServiceChat,
  kind: Exclude<ChatCommand['kind'], 'link'>,
  { mayUnlink }: CommandContext,
): Promise<ChatReply> {
  if (kind === 'help') return 'help';
  if (kind === 'unlink' && mayUnlink) return (await unlinkChat(tx, chat)) ? 'unlinked' : 'not-linked';
  const channel = await findChannelOf(tx, chat);
  if (channel === null) return 'not-linked';
  if (kind === 'unlink') return 'unlink-on-site';
  return channel.state === 'active' ? 'is-active' : 'is-paused';
}
