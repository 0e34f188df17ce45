/** Telegram and Discord as alert channels: bots, linking, the queue of messages. docs/decisions/080-chat-channels.md */
import type { Hono } from 'hono';
import type { ChatService } from '#domain/chat/chat-channel.ts';
import type { ChatConfig } from '#domain/chat/chat-config.ts';
import type { Core } from '../core.ts';
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import { type GuardedCall, guardedCall } from '../platform/outbound/guarded-call.ts';
import type { QueueWorkerDeps } from '../platform/queues/queue-worker.ts';
import { commandLimits } from './chat-commands.ts';
import { type BotAddress, chatFunctions } from './chat-functions.ts';
import { type ChatWorkerDeps, startChatWorker } from './chat-worker.ts';
import { discordInteractionRoutes } from './discord-interactions.ts';
import { type KnownBot, knownBot } from './known-bot.ts';
import type { ChatSource, ChatSources } from './services/chat-service.ts';
import { type DiscordApi, type DiscordApplication, discordApi } from './services/discord-api.ts';
import { type TelegramApi, telegramApi } from './services/telegram-api.ts';
import { startTelegramPoll } from './telegram-poll.ts';

export interface ChatDeps extends Core, Pick<QueueWorkerDeps, 'pollMs'> {
  sources: ChatSources;
  /** The site's origin, without a trailing slash. */
  siteUrl(): string;
  /** False: there is no mail transport. */
  sendsMails: boolean;
  pictureOf: ChatWorkerDeps['pictureOf'];
  /** Calls a service; a test passes its own. */
  callOf?(source: ChatSource): GuardedCall;
  /** How long Telegram waits for an update. Default: the client's. */
  pollS?: number;
}

export interface Chat {
  config: ChatConfig;
  functions: readonly ServerFunction[];
  /** Null without Discord. */
  routes: Hono | null;
  close(): Promise<void>;
}

interface OpenTelegram {
  api: TelegramApi;
  bot: KnownBot<{ id: string; name: string }>;
  isSandbox: boolean;
}
interface OpenDiscord {
  api: DiscordApi;
  bot: KnownBot<DiscordApplication>;
  isSandbox: boolean;
}

export async function openChat(deps: ChatDeps): Promise<Chat> {
  const { sources, log, limiterOf, database, clock, sendsMails, siteUrl } = deps;
  const telegram = sources.telegram === null ? null : openTelegram(sources.telegram, deps);
  const discord = sources.discord === null ? null : openDiscord(sources.discord, deps);
  const limits = commandLimits(limiterOf);
  const shared = { database, clock, log, limits, sendsMails, siteUrl };
  const worker = await startChatWorker({
    ...deps,
    senders: { telegram: telegram?.api.send ?? null, discord: discord?.api.send ?? null },
  });
  const poll = telegram && startTelegramPoll({ ...shared, api: telegram.api, bot: telegram.bot.current });
  const addressOf = (service: ChatService) =>
    service === 'telegram' ? telegramAddress(telegram, siteUrl()) : discordAddress(discord, siteUrl());
  return {
    config: { telegram: sources.telegram?.kind ?? null, discord: sources.discord?.kind ?? null },
    functions: chatFunctions({ database, clock, limiterOf, siteUrl, addressOf }),
    routes:
      discord === null
        ? null
        : discordInteractionRoutes({ ...shared, verifyKey: () => discord.bot.current()?.verifyKey ?? null }),
    async close() {
      await Promise.all([poll, worker, telegram?.bot, discord?.bot].map((one) => one?.close()));
    },
  };
}

const guarded = (source: ChatSource): GuardedCall =>
  guardedCall({ sandboxUrl: source.kind === 'sandbox' ? source.url : null });

function openTelegram(source: ChatSource, { callOf = guarded, log, pollS }: ChatDeps): OpenTelegram {
  const api = telegramApi({ source, call: callOf(source), ...(pollS === undefined ? {} : { pollS }) });
  const bot = knownBot('telegram', (signal) => api.getMe(signal), { log });
  return { api, bot, isSandbox: source.kind === 'sandbox' };
}

function openDiscord(source: ChatSource, { callOf = guarded, log }: ChatDeps): OpenDiscord {
  const api = discordApi({ source, call: callOf(source) });
  // At every start: a new token may be another application's, which has no commands yet.
  const learn = async (signal: AbortSignal) => {
    const application = await api.application(signal);
    await api.setCommands(application.id, signal);
    return application;
  };
  const bot = knownBot('discord', learn, { log });
  return { api, bot, isSandbox: source.kind === 'sandbox' };
}

function telegramAddress(telegram: OpenTelegram | null, siteUrl: string): BotAddress | null {
  const bot = telegram?.bot.current() ?? null;
  if (telegram === null || bot === null) return null;
  const link = (code: string) =>
    telegram.isSandbox ? sandboxPage(siteUrl, 'telegram', `/start ${code}`) : `https://t.me/${bot.name}?start=${code}`;
  return { bot: `@${bot.name}`, link, command: (code) => `/link ${code}` };
}

function discordAddress(discord: OpenDiscord | null, siteUrl: string): BotAddress | null {
  const bot = discord?.bot.current() ?? null;
  if (discord === null || bot === null) return null;
  const command = (code: string) => `/kat link code:${code}`;
  const invitation = `https://discord.com/oauth2/authorize?client_id=${bot.id}&scope=bot+applications.commands&permissions=${PERMISSIONS}`;
  const link = (code: string) => (discord.isSandbox ? sandboxPage(siteUrl, 'discord', command(code)) : invitation);
  return { bot: bot.name, link, command };
}

/** Shows the text, to be sent by the user. */
function sandboxPage(siteUrl: string, service: ChatService, text: string): string {
  return `${siteUrl}/dev/${service}?text=${encodeURIComponent(text)}`;
}

/** See the channel, write there, attach files. */
const PERMISSIONS = (1 << 10) | (1 << 11) | (1 << 15);
