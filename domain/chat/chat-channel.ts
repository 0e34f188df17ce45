/** A linked chat: as its owner changes and sees it. docs/decisions/080-chat-channels.md */
import * as z from 'zod/mini';
import { ALERT_KINDS } from '../alerts/alert-rule.ts';

export const CHAT_SERVICES = ['telegram', 'discord'] as const;
export type ChatService = (typeof CHAT_SERVICES)[number];
export const SERVICE_NAMES: Readonly<Record<ChatService, string>> = { telegram: 'Telegram', discord: 'Discord' };

/** Per user, both services together. */
export const MOST_CHATS = 5;
/** A code that is not used in this time is void. */
export const CODE_LIFE_MS = 10 * 60_000;
export const CODE_LENGTH = 10;
/** Without 0, 1, I, L, O and U, which are misread or spell words; 30 characters. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Refused messages in a row, none of which was sent, that pause a chat. */
export const MOST_REFUSALS = 3;

/**
 * `blocked`: the bot was blocked or removed, or may not write there. `not-found`: the chat no longer exists. `refused`:
 * several messages in a row were refused for another reason.
 */
export const CHAT_PAUSE_REASONS = ['owner', 'blocked', 'not-found', 'refused'] as const;
export type ChatPauseReason = (typeof CHAT_PAUSE_REASONS)[number];

const service = z.enum(CHAT_SERVICES);
const kinds = z.array(z.enum(ALERT_KINDS)).check(
  z.minLength(1, 'Please choose at least one alert'),
  z.refine((chosen) => new Set(chosen).size === chosen.length),
);

/** Body of create-chat-code. */
export const createChatCodeSchema = z.strictObject({ service });
/** Body of update-chat-channel. */
export const updateChatChannelSchema = z.strictObject({ id: z.guid(), kinds, state: z.enum(['active', 'paused']) });
/** Body of unlink-chat-channel and send-test-chat-message. */
export const chatChannelIdSchema = z.strictObject({ id: z.guid() });

/** Response of create-chat-code. */
export const createdChatCodeSchema = z.object({
  ok: z.literal(true),
  code: z.string(),
  /** ISO 8601. */
  expiresAt: z.string(),
  /** Telegram: opens the bot with the code. Discord: adds the app to a server; the code is entered there. */
  link: z.string(),
  /** What the user types in the chat, with the code. */
  command: z.string(),
  /** The bot's name on its service. */
  bot: z.string(),
});
export type CreatedChatCode = z.infer<typeof createdChatCodeSchema>;

/** A row of chat_channels as its owner sees it; times are ISO 8601. */
export const chatChannelRowSchema = z.object({
  id: z.guid(),
  service,
  title: z.string(),
  kinds: z.array(z.enum(ALERT_KINDS)),
  state: z.enum(['active', 'paused']),
  pause_reason: z.nullable(z.enum(CHAT_PAUSE_REASONS)),
  linked_at: z.string(),
  last_sent_at: z.nullable(z.string()),
});
export type ChatChannelRow = z.infer<typeof chatChannelRowSchema>;
export const CHAT_CHANNEL_COLUMNS = 'id, service, title, kinds, state, pause_reason, linked_at, last_sent_at';
