/**
 * Reads Telegram's updates, in one server process at a time. An update's effect, its reply and the confirmation are one
 * transaction: each has its effect once, also if a paused process polls beside its successor.
 */
import { replyText } from '#domain/chat/chat-texts.ts';
import type { Core } from '../core.ts';
import { asOwner, OWNER, type Transaction } from '../platform/database/database.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import { type ChatCommand, type CommandLimits, runCommand } from './chat-commands.ts';
import type { TelegramApi } from './services/telegram-api.ts';
import type { TelegramChat, TelegramEvent, TelegramUpdate } from './services/telegram-update.ts';
import { findChannelOf, moveChat, pauseChannel, resumeBlocked } from './stores/channel-store.ts';
import { nextUpdate, passUpdate } from './stores/cursor-store.ts';
import { queueMessage } from './stores/message-store.ts';

export interface TelegramPollDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  api: Pick<TelegramApi, 'getUpdates'>;
  /** The bot, once it is known. */
  bot(): { id: string; name: string } | null;
  limits: CommandLimits;
  sendsMails: boolean;
  /** The site's origin, without a trailing slash. */
  siteUrl(): string;
  /** Longest wait between two looks at the lease. Default: the job's. */
  checkMs?: number;
}

/** Longest wait after a failure. */
const PERIOD_MS = 60_000;
/** A killed process is followed after twice this time. */
const RUN_LIMIT_MS = 45_000;
/** The bot's name is not known yet. */
const UNKNOWN_WAIT_MS = 2000;
export const REPLY_TTL_S = 10 * 60;

export function startTelegramPoll(deps: TelegramPollDeps): Job {
  return startJob({
    name: 'chat-telegram',
    periodMs: PERIOD_MS,
    limitMs: RUN_LIMIT_MS,
    store: jobStore(deps.database),
    log: deps.log,
    ...(deps.checkMs === undefined ? {} : { checkMs: deps.checkMs }),
    run: async (signal) => ({ nextInMs: await pollOnce(deps, signal) }),
  });
}

/** @returns the wait until the next poll */
export async function pollOnce(deps: TelegramPollDeps, signal: AbortSignal): Promise<number> {
  const bot = deps.bot();
  if (bot === null) return UNKNOWN_WAIT_MS;
  const cursor = `telegram:${bot.id}`;
  const from = await nextUpdate(asOwner(deps.database), cursor, deps.clock.nowMs());
  for (const update of await deps.api.getUpdates(from, signal)) {
    signal.throwIfAborted();
    await handle(deps, { cursor, botName: bot.name }, update);
  }
  return 0;
}

async function handle(
  deps: TelegramPollDeps,
  { cursor, botName }: { cursor: string; botName: string },
  { id, event }: TelegramUpdate,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const command = event.kind === 'text' ? commandOf(event.text, botName, event.chat.isPrivate) : null;
  const chat = event.kind === 'other' ? null : chatOf(event.chat);
  const mayReply = command !== null && chat !== null && (await deps.limits.mayReply(chat));
  const mayTryCode = command?.kind === 'link' && chat !== null && (await deps.limits.mayTryCode(chat));
  await deps.database.transaction(OWNER, async (tx) => {
    if (!(await passUpdate(tx, cursor, id, nowMs))) return;
    if (event.kind === 'text' && command !== null && chat !== null) {
      const context = { nowMs, sendsMails: deps.sendsMails, mayTryCode, mayUnlink: event.chat.isPrivate };
      const { reply, channelId } = await runCommand(tx, chat, command, context);
      if (!mayReply) return;
      const text = replyText(reply, 'telegram', deps.siteUrl());
      const message = { ...chat, channelId, key: `reply ${id}`, text, ttlS: REPLY_TTL_S };
      return queueMessage(tx, message, new Date(nowMs).toISOString());
    }
    await applyToChat(tx, event);
  });
}

const chatOf = ({ id, title }: TelegramChat) => ({ service: 'telegram' as const, chatId: id, title });

async function applyToChat(tx: Transaction, event: TelegramEvent): Promise<void> {
  if (event.kind === 'moved') return moveChat(tx, { ...chatOf(event.chat), movedTo: event.movedTo });
  if (event.kind !== 'membership') return;
  const channel = await findChannelOf(tx, chatOf(event.chat));
  if (channel === null) return;
  await (event.isMember ? resumeBlocked(tx, channel.id) : pauseChannel(tx, channel.id, 'blocked'));
}

const COMMAND = /^\/([a-z]+)(?:@(\w+))?(?:\s+(\S+))?\s*$/i;

/** Null for what the bot leaves alone: other texts in groups, and commands for other bots. */
export function commandOf(text: string, botName: string, isPrivate: boolean): ChatCommand | null {
  const [, name = '', to, code] = COMMAND.exec(text) ?? [];
  if (to !== undefined && to.toLowerCase() !== botName.toLowerCase()) return null;
  switch (name.toLowerCase()) {
    case 'start':
    case 'link':
      return code === undefined ? { kind: 'help' } : { kind: 'link', code };
    case 'unlink':
      return { kind: 'unlink' };
    case 'status':
      return { kind: 'status' };
    case 'help':
      return { kind: 'help' };
    default:
      return isPrivate ? { kind: 'help' } : null;
  }
}
