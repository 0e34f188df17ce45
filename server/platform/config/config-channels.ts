/** Ways to reach users outside the site: browsers' notifications, Telegram, Discord. */
import * as z from 'zod/mini';
import { type Refuse, readPair } from './setting-values.ts';

export const PUSH_FIELDS = {
  /** auto: browsers' push services in production and with a live market, otherwise a sandbox if allowed. */
  PUSH: z._default(z.enum(['auto', 'live', 'sandbox', 'off']), 'auto'),
  /** `<public key>:<private key>`, in base64url. */
  PUSH_KEYS: z.optional(z.string()),
};

export interface PushKeys {
  /** Base64url, 65 bytes. */
  publicKey: string;
  /** Base64url, 32 bytes. A secret. */
  privateKey: string;
}

export interface PushSettings {
  choice: 'auto' | 'live' | 'sandbox' | 'off';
  /** Null for the keys in the data folder. */
  keys: PushKeys | null;
  /** Where a push service writes when something is wrong. */
  contact: string;
}

const TELEGRAM_TOKEN = /^\d{5,20}:[\w-]{30,80}$/;
/** Three parts in base64url; the first is the bot's id. */
const DISCORD_TOKEN = /^[\w-]{15,60}\.[\w-]{3,20}\.[\w-]{20,80}$/;

export const CHAT_FIELDS = {
  TELEGRAM_BOT_TOKEN: z.optional(z.string().check(z.regex(TELEGRAM_TOKEN, 'not a bot’s token'))),
  DISCORD_BOT_TOKEN: z.optional(z.string().check(z.regex(DISCORD_TOKEN, 'not a bot’s token'))),
};

/** Null: the service is not offered, or simulated where only this machine connects. */
export interface ChatSettings {
  telegramToken: string | null;
  discordToken: string | null;
}

const chatFieldsSchema = z.object(CHAT_FIELDS);

export function toChatSettings(e: z.output<typeof chatFieldsSchema>): ChatSettings {
  return { telegramToken: e.TELEGRAM_BOT_TOKEN ?? null, discordToken: e.DISCORD_BOT_TOKEN ?? null };
}

const fieldsSchema = z.object(PUSH_FIELDS);

/** @param site supplies the contact. @param refuse called with a message when the settings contradict each other */
export function toPushSettings(
  e: z.output<typeof fieldsSchema>,
  site: { publicUrl: string | null; mailFrom: string },
  refuse: Refuse,
): PushSettings {
  const keys = e.PUSH_KEYS === undefined ? null : readPair(e.PUSH_KEYS, 'PUSH_KEYS', refuse);
  return {
    choice: e.PUSH,
    keys: keys === null ? null : { publicKey: keys[0], privateKey: keys[1] },
    contact: contactOf(site),
  };
}

function contactOf({ publicUrl, mailFrom }: { publicUrl: string | null; mailFrom: string }): string {
  if (publicUrl?.startsWith('https:') === true) return publicUrl;
  return `mailto:${/<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom}`;
}
