/**
 * Telegram's Bot API, simulated: getMe, getUpdates, sendMessage, sendPhoto, with the limits, errors and wording of
 * https://core.telegram.org/bots/api. Texts are plain: parse_mode is refused.
 */
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { RestAnswer } from '../rest-answer.ts';
import { type ApiFields, type ApiRequest, readFields } from './api-request.ts';
import { type Conversation, openConversations, type Reach } from './conversations.ts';
import { type PictureSize, pictureSize } from './picture-size.ts';
import { rateWindow } from './rate-window.ts';
import type { SimulatedChat } from './service.ts';
import { openUpdates } from './telegram-updates.ts';

const BOT = {
  id: 7_000_000_001,
  is_bot: true,
  first_name: 'Kat sandbox',
  username: 'kat_sandbox_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
};
const CHATS = [
  { id: '910000001', name: 'Sample user', isDirect: true },
  { id: '910000002', name: 'Second sample user', isDirect: true },
  { id: '-1009100000003', name: 'Sample group', isDirect: false },
];
/** The user of the page, in every chat but that of the second sample user. */
const USER_ID = 910_000_001;

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
const MAX_PHOTO_SIDES = 10_000;
const MAX_PHOTO_RATIO = 20;
/** Its FAQ for bots: 30 messages a second in all, 20 a minute in a group. */
const LIMITS = { all: { limit: 30, perMs: 1000 }, group: { limit: 20, perMs: 60_000 } };

const wholeNumber = z.coerce.number().check(z.int());
const updatesSchema = z.object({
  offset: z._default(wholeNumber, 0),
  limit: z._default(wholeNumber.check(z.gte(1), z.lte(100)), 100),
  timeout: z._default(wholeNumber.check(z.gte(0)), 0),
  allowed_updates: z.optional(z.array(z.string())),
});
/** Longer ones are cut to this. */
const MAX_POLL_S = 50;

class Refused extends Error {
  readonly status: number;
  readonly parameters: { retry_after?: number };

  constructor(status: number, description: string, parameters: { retry_after?: number } = {}) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export interface SandboxTelegramOptions {
  token: string;
  nowMs: () => number;
}

export function telegram({ token, nowMs }: SandboxTelegramOptions): SimulatedChat {
  const conversations = openConversations(CHATS, nowMs);
  const updates = openUpdates();
  const started = new Set<string>();
  const overall = rateWindow({ ...LIMITS.all, nowMs });
  const groups = rateWindow({ ...LIMITS.group, nowMs });
  const dateS = () => Math.floor(nowMs() / 1000);

  /** @throws Refused */
  function openChat(fields: ApiFields): Conversation {
    const id = String(fields.values.get('chat_id') ?? '');
    if (id === '') throw new Refused(400, 'Bad Request: chat_id is empty');
    const chat = conversations.find(id);
    if (chat === null || chat.reach === 'deleted') throw new Refused(400, 'Bad Request: chat not found');
    const { isDirect } = chat;
    if (chat.reach === 'blocked')
      throw new Refused(
        403,
        `Forbidden: bot was ${isDirect ? 'blocked by the user' : 'kicked from the supergroup chat'}`,
      );
    if (isDirect && !started.has(id)) throw new Refused(403, "Forbidden: bot can't initiate conversation with a user");
    for (const rate of [overall.take(''), ...(isDirect ? [] : [groups.take(id)])])
      if (!rate.isAllowed) throw tooMany(Math.ceil(rate.waitMs / 1000));
    return chat;
  }

  function sent(chat: Conversation, content: { text: string } | { caption: string; photo: Photo }): unknown {
    const isPhoto = 'photo' in content;
    const text = isPhoto ? content.caption : content.text;
    const picture = isPhoto ? { type: content.photo.type, bytes: content.photo.bytes } : null;
    const entry = conversations.write(chat.id, { from: 'bot', text, picture });
    const message = { message_id: entry.id, from: BOT, chat: chatObject(chat), date: dateS() };
    if (!isPhoto) return { ...message, text };
    const { width, height, bytes } = content.photo;
    const size = {
      file_id: `sandbox-${entry.id}`,
      file_unique_id: String(entry.id),
      width,
      height,
      file_size: bytes.length,
    };
    return { ...message, photo: [size], ...(text === '' ? {} : { caption: text }) };
  }

  const methods: Record<string, (fields: ApiFields, signal: AbortSignal) => unknown> = {
    getme: () => BOT,
    async getupdates({ values }, signal) {
      const named = Object.fromEntries(values);
      const allowed = named.allowed_updates;
      const query = updatesSchema.safeParse({
        ...named,
        ...(typeof allowed === 'string' ? { allowed_updates: parsedJson(allowed) } : {}),
      });
      if (!query.success) throw new Refused(400, 'Bad Request: invalid parameters of getUpdates');
      const { offset, limit, timeout, allowed_updates: kinds = null } = query.data;
      const timeoutMs = Math.min(timeout, MAX_POLL_S) * 1000;
      const found = await updates.poll({ offset, limit, timeoutMs, allowed: kinds }, signal);
      if (found === null)
        throw new Refused(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        );
      return found;
    },
    sendmessage(fields) {
      refuseMarkup(fields);
      const text = String(fields.values.get('text') ?? '').trim();
      if (text === '') throw new Refused(400, 'Bad Request: message text is empty');
      if (text.length > MAX_TEXT) throw new Refused(400, 'Bad Request: message is too long');
      return sent(openChat(fields), { text });
    },
    sendphoto(fields) {
      refuseMarkup(fields);
      const caption = String(fields.values.get('caption') ?? '').trim();
      if (caption.length > MAX_CAPTION) throw new Refused(400, 'Bad Request: message caption is too long');
      const photo = photoOf(fields);
      return sent(openChat(fields), { caption, photo });
    },
  };

  async function answer(request: ApiRequest): Promise<RestAnswer> {
    const [, sentToken, name = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.path) ?? [];
    if (sentToken === undefined) return refusal(404, 'Not Found');
    if (sentToken !== token) return refusal(401, 'Unauthorized');
    const method = methods[name.toLowerCase()];
    if (method === undefined) return refusal(404, 'Not Found: method not found');
    const fields = await readFields(request);
    if (fields === null) return refusal(400, "Bad Request: can't parse the request");
    try {
      return { status: 200, body: { ok: true, result: await method(fields, request.signal) } };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refusal(error.status, error.message, error.parameters);
    }
  }

  return {
    name: 'telegram',
    title: 'Telegram',
    conversations,
    answer,
    /** Faults name a call without its token: `/sendPhoto`. */
    faultTarget: (path) => path.replace(/^\/bot[^/]+/, ''),
    refusal: (status, retryAfterS) =>
      status === 429 ? bodyOf(tooMany(retryAfterS ?? 1)) : bodyOf(new Refused(status, `Fault ${status}`)),
    async enter(id, text) {
      const chat = conversations.find(id);
      if (chat === null || chat.reach !== 'open') return;
      const entry = conversations.write(id, { from: 'user', text });
      if (chat.isDirect) started.add(id);
      // In a group, a bot in privacy mode receives commands only, and none for another bot.
      if (!chat.isDirect && !(text.startsWith('/') && isForThisBot(text))) return;
      const [command] = /^\/\w+(?:@\w+)?/.exec(text) ?? [];
      const entities = command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
      updates.add('message', {
        message_id: entry.id,
        from: userOf(chat),
        chat: chatObject(chat),
        date: dateS(),
        text,
        ...(entities.length === 0 ? {} : { entities }),
      });
    },
    async setReach(id, reach) {
      const chat = conversations.find(id);
      if (chat === null || chat.reach === reach) return;
      const before = memberStatus(chat.reach);
      conversations.setReach(id, reach);
      const member = (status: string) => ({ user: BOT, status, ...(status === 'kicked' ? { until_date: 0 } : {}) });
      updates.add('my_chat_member', {
        chat: chatObject(chat),
        from: userOf(chat),
        date: dateS(),
        old_chat_member: member(before),
        new_chat_member: member(memberStatus(reach)),
      });
    },
    close: () => updates.close(),
  };
}

function memberStatus(reach: Reach): string {
  return reach === 'open' ? 'member' : reach === 'blocked' ? 'kicked' : 'left';
}

function isForThisBot(text: string): boolean {
  const bot = /^\/\w+@(\w+)/.exec(text)?.[1];
  return bot === undefined || bot.toLowerCase() === BOT.username;
}

function chatObject({ id, name, isDirect }: Conversation): unknown {
  return isDirect
    ? { id: Number(id), type: 'private', first_name: name }
    : { id: Number(id), type: 'supergroup', title: name };
}

function userOf({ id, isDirect, name }: Conversation): unknown {
  const user = { id: isDirect ? Number(id) : USER_ID, is_bot: false, language_code: 'en' };
  return { ...user, first_name: isDirect ? name : 'Sample user' };
}

/** @throws Refused */
function refuseMarkup({ values }: ApiFields): void {
  if (values.has('parse_mode')) throw new Refused(400, 'Bad Request: the sandbox takes plain text only');
}

interface Photo extends PictureSize {
  bytes: Buffer;
}

/** @throws Refused */
function photoOf({ values, files }: ApiFields): Photo {
  const file = files.get('photo');
  if (file === undefined && values.has('photo'))
    throw new Refused(400, 'Bad Request: wrong file identifier/HTTP URL specified');
  if (file === undefined) throw new Refused(400, 'Bad Request: there is no photo in the request');
  const { bytes } = file;
  if (bytes.length === 0) throw new Refused(400, 'Bad Request: file must be non-empty');
  if (bytes.length > MAX_PHOTO_BYTES)
    throw new Refused(
      400,
      `Bad Request: file of size ${bytes.length} bytes is too big for a photo; the maximum size is ${MAX_PHOTO_BYTES} bytes`,
    );
  const size = pictureSize(bytes);
  if (size === null) throw new Refused(400, 'Bad Request: IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  const ratio = Math.max(width / height, height / width);
  if (!(ratio <= MAX_PHOTO_RATIO) || width + height > MAX_PHOTO_SIDES)
    throw new Refused(400, 'Bad Request: PHOTO_INVALID_DIMENSIONS');
  return { ...size, bytes };
}

function tooMany(waitS: number): Refused {
  return new Refused(429, `Too Many Requests: retry after ${waitS}`, { retry_after: waitS });
}

function bodyOf({ status, message, parameters }: Refused): unknown {
  return {
    ok: false,
    error_code: status,
    description: message,
    ...(parameters.retry_after === undefined ? {} : { parameters }),
  };
}

function refusal(status: number, description: string, parameters: Refused['parameters'] = {}): RestAnswer {
  return { status, body: bodyOf(new Refused(status, description, parameters)) };
}
