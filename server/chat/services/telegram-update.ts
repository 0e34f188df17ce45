/** Updates as Telegram sends them, reduced to what the bot reacts to. Everything in them is written by strangers. */
import * as z from 'zod/mini';
import { foreignLine } from '../../platform/feeds/foreign-text.ts';

export interface TelegramChat {
  id: string;
  title: string;
  isPrivate: boolean;
}

export type TelegramEvent =
  | { kind: 'text'; chat: TelegramChat; text: string }
  /** The bot may write in the chat again, or no longer. */
  | { kind: 'membership'; chat: TelegramChat; isMember: boolean }
  | { kind: 'moved'; chat: TelegramChat; movedTo: string }
  | { kind: 'other' };

export interface TelegramUpdate {
  id: number;
  event: TelegramEvent;
}

const LONGEST_TITLE = 80;
/** Longer texts are no command. */
const LONGEST_TEXT = 200;

const chatSchema = z.object({
  id: z.number(),
  type: z.string(),
  title: z.optional(z.string()),
  username: z.optional(z.string()),
  first_name: z.optional(z.string()),
});
const updateSchema = z.object({
  message: z.optional(
    z.object({
      chat: chatSchema,
      text: z.optional(z.string()),
      from: z.optional(z.object({ is_bot: z.optional(z.boolean()) })),
      migrate_to_chat_id: z.optional(z.number()),
    }),
  ),
  my_chat_member: z.optional(
    z.object({
      chat: chatSchema,
      new_chat_member: z.object({ status: z.string(), can_send_messages: z.optional(z.boolean()) }),
    }),
  ),
});
const idSchema = z.object({ update_id: z.int() });

/** Null without an id, which nothing can confirm. An update of another form is passed over. */
export function updateOf(value: unknown): TelegramUpdate | null {
  const numbered = idSchema.safeParse(value);
  if (!numbered.success) return null;
  const parsed = updateSchema.safeParse(value);
  return { id: numbered.data.update_id, event: parsed.success ? eventOf(parsed.data) : { kind: 'other' } };
}

function eventOf({ message, my_chat_member: membership }: z.infer<typeof updateSchema>): TelegramEvent {
  if (membership !== undefined) {
    const { status, can_send_messages: maySend = false } = membership.new_chat_member;
    const isMember = ['member', 'administrator', 'creator'].includes(status) || (status === 'restricted' && maySend);
    return { kind: 'membership', chat: chatOf(membership.chat), isMember };
  }
  if (message === undefined || message.from?.is_bot === true) return { kind: 'other' };
  const chat = chatOf(message.chat);
  if (message.migrate_to_chat_id !== undefined)
    return { kind: 'moved', chat, movedTo: String(message.migrate_to_chat_id) };
  if (message.text === undefined || message.text.length > LONGEST_TEXT) return { kind: 'other' };
  return { kind: 'text', chat, text: message.text };
}

function chatOf({ id, type, title, username, first_name: name }: z.infer<typeof chatSchema>): TelegramChat {
  const named = title ?? (username === undefined ? name : `@${username}`) ?? '';
  return {
    id: String(id),
    isPrivate: type === 'private',
    title: foreignLine(named, LONGEST_TITLE) || 'Telegram chat',
  };
}
