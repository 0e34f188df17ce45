/** The methods of Telegram's Bot API that we use. Its addresses hold the token, so none is ever logged or stored. */
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { CallAnswer, GuardedCall } from '../../platform/outbound/guarded-call.ts';
import {
  type ChatFailure,
  ChatNotSent,
  type ChatSource,
  notReached,
  pictureForm,
  type SendChat,
  unlessRefused,
} from './chat-service.ts';
import { type TelegramUpdate, updateOf } from './telegram-update.ts';

export const TELEGRAM_API = 'https://api.telegram.org';

export interface TelegramApi {
  /** @throws ChatNotSent, ChatTokenRefused */
  getMe(signal: AbortSignal): Promise<{ id: string; name: string }>;
  /**
   * Waits for updates. @param from  null: every update that was not confirmed
   * @throws ChatNotSent, ChatTokenRefused
   */
  getUpdates(from: number | null, signal: AbortSignal): Promise<TelegramUpdate[]>;
  send: SendChat;
}

export interface TelegramOptions {
  source: ChatSource;
  call: GuardedCall;
  /** How long Telegram waits for an update. Default 25 s. */
  pollS?: number;
}

const POLL_S = 25;
/** Ten messages of 4,096 characters, escaped, each as a reply to another. */
const MAX_UPDATE_BYTES = 1 << 20;
const MOST_UPDATES = 10;
const JSON_HEADERS = { 'content-type': 'application/json' };

const answerSchema = z.object({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  description: z.optional(z.string()),
  parameters: z.optional(
    z.object({
      retry_after: z.optional(z.number()),
      migrate_to_chat_id: z.optional(z.union([z.number(), z.string()])),
    }),
  ),
});
type TelegramAnswer = z.infer<typeof answerSchema>;

const meSchema = z.object({ id: z.number(), username: z.string().check(z.regex(/^\w{1,64}$/)) });
const updatesSchema = z.array(z.unknown());

export function telegramApi({ source, call, pollS = POLL_S }: TelegramOptions): TelegramApi {
  const base = `${source.kind === 'sandbox' ? source.url : TELEGRAM_API}/bot${source.token}`;

  async function method(
    name: string,
    content: { headers: Record<string, string>; body: string | Uint8Array },
    { signal, ...limits }: { signal: AbortSignal; timeoutMs?: number; maxBytes?: number },
  ): Promise<unknown> {
    let answer: CallAnswer;
    try {
      answer = await call(`${base}/${name}`, { method: 'POST', ...content, signal, ...limits });
    } catch (error) {
      throw notReached(error, signal);
    }
    const parsed = answerSchema.safeParse(parsedJson(answer.body));
    const isOk = answer.status >= 200 && answer.status < 300;
    if (isOk && parsed.success && parsed.data.ok) return parsed.data.result;
    throw failureOf(answer, parsed.success ? parsed.data : { ok: false });
  }

  const json = (value: Record<string, unknown>) => ({ headers: JSON_HEADERS, body: JSON.stringify(value) });

  return {
    async getMe(signal) {
      const { id, username } = meSchema.parse(await unlessRefused(method('getMe', json({}), { signal })));
      return { id: String(id), name: username };
    },
    async getUpdates(from, signal) {
      const wanted = {
        ...(from === null ? {} : { offset: from }),
        limit: MOST_UPDATES,
        timeout: pollS,
        allowed_updates: ['message', 'my_chat_member'],
      };
      const limits = { signal, timeoutMs: (pollS + 10) * 1000, maxBytes: MAX_UPDATE_BYTES };
      const found = updatesSchema.parse(await unlessRefused(method('getUpdates', json(wanted), limits)));
      return found.flatMap((update) => updateOf(update) ?? []);
    },
    async send({ chatId, text, picture }, signal) {
      if (picture === null) {
        const message = { chat_id: chatId, text, link_preview_options: { is_disabled: true } };
        return void (await method('sendMessage', json(message), { signal }));
      }
      const { body, contentType } = pictureForm({ chat_id: chatId, caption: text }, { name: 'photo', bytes: picture });
      await method('sendPhoto', { headers: { 'content-type': contentType }, body }, { signal });
    },
  };
}

const NO_SUCH_CHAT =
  /chat not found|group chat was deactivated|user not found|PEER_ID_INVALID|CHANNEL_INVALID|CHAT_ID_INVALID/i;
const MAY_NOT_WRITE =
  /(?:not enough|have no|need administrator) rights|(?:CHAT|USER)_\w*FORBIDDEN|CHAT_(?:RESTRICTED|ADMIN_REQUIRED)|TOPIC_(?:CLOSED|DELETED)|message thread not found|topic (?:is )?closed|CHANNEL_PRIVATE|USER_IS_BLOCKED|user is deactivated/i;
/** Telegram's code within its description, without other text: it is stored and logged. */
const CODE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;

function failureOf(
  { status, retryAfterMs }: CallAnswer,
  { description = '', parameters }: TelegramAnswer,
): ChatNotSent {
  const movedTo = parameters?.migrate_to_chat_id;
  if (status === 400 && movedTo !== undefined) return new ChatNotSent('moved', 'moved', { movedTo: String(movedTo) });
  const seconds = parameters?.retry_after;
  const requestedMs = seconds === undefined ? retryAfterMs : Math.max(0, seconds) * 1000;
  const reason = [status, CODE.exec(description)?.[0].slice(0, 60)].filter((part) => part !== undefined).join(' ');
  return new ChatNotSent(reason, kindOf(status, description), { retryAfterMs: requestedMs });
}

/** A token of another form is answered with 404, one that was revoked with 401. */
function kindOf(status: number, description: string): ChatFailure {
  if (status === 401 || status === 404) return 'token';
  if (status === 403) return 'blocked';
  if (status === 400)
    return NO_SUCH_CHAT.test(description) ? 'not-found' : MAY_NOT_WRITE.test(description) ? 'blocked' : 'refused';
  return status === 413 ? 'refused' : 'later';
}
