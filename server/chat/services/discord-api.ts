/** The requests of Discord's HTTP API that we use. */
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

export const DISCORD_API = 'https://discord.com';

export interface DiscordApplication {
  id: string;
  name: string;
  /** Ed25519 public key in hex, with which interactions are signed. */
  verifyKey: string;
}

export interface DiscordApi {
  /** @throws ChatNotSent, ChatTokenRefused */
  application(signal: AbortSignal): Promise<DiscordApplication>;
  /** Replaces the bot's commands. @throws ChatNotSent, ChatTokenRefused */
  setCommands(applicationId: string, signal: AbortSignal): Promise<void>;
  send: SendChat;
}

const applicationSchema = z.object({
  id: z.string().check(z.regex(/^\d{1,20}$/)),
  name: z.string(),
  verify_key: z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
});
const refusalSchema = z.object({
  retry_after: z.nullish(z.number()),
  global: z.nullish(z.boolean()),
  code: z.nullish(z.int()),
});
/** With status 400. Another kind of channel or user; a thread that is archived or locked. */
const MAY_NOT_WRITE: ReadonlySet<number> = new Set([50_001, 50_007, 50_008, 50_013, 50_024, 50_083, 160_005]);

const [SUB_COMMAND, TEXT] = [1, 3];
/** In servers for members who manage channels, and in direct messages with the bot. */
const MANAGE_CHANNELS = String(1 << 4);
const CONTEXTS = { guild: 0, botDirect: 1 };
const COMMANDS = [
  {
    name: 'kat',
    type: 1,
    description: 'Kat’s alerts in this channel',
    default_member_permissions: MANAGE_CHANNELS,
    contexts: [CONTEXTS.guild, CONTEXTS.botDirect],
    options: [
      {
        type: SUB_COMMAND,
        name: 'link',
        description: 'Send your alerts here',
        options: [
          { type: TEXT, name: 'code', description: 'The code from your account', required: true, max_length: 40 },
        ],
      },
      { type: SUB_COMMAND, name: 'unlink', description: 'Send no more alerts here' },
      { type: SUB_COMMAND, name: 'status', description: 'Shows whether alerts are sent here' },
    ],
  },
];
const SUPPRESS_EMBEDS = 1 << 2;

export function discordApi({ source, call }: { source: ChatSource; call: GuardedCall }): DiscordApi {
  const base = `${source.kind === 'sandbox' ? source.url : DISCORD_API}/api/v10`;
  const headers = { authorization: `Bot ${source.token}`, 'user-agent': 'DiscordBot (https://discord.com, 1) Kat' };

  async function request(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    { body, contentType }: { body: string | Uint8Array | null; contentType: string },
    signal: AbortSignal,
  ): Promise<unknown> {
    const typed = body === null ? headers : { ...headers, 'content-type': contentType };
    let answer: CallAnswer;
    try {
      answer = await call(`${base}${path}`, { method, headers: typed, body, signal });
    } catch (error) {
      throw notReached(error, signal);
    }
    if (answer.status >= 200 && answer.status < 300) return parsedJson(answer.body);
    throw failureOf(answer);
  }
  const json = (value: unknown) => ({ body: JSON.stringify(value), contentType: 'application/json' });
  const nothing = { body: null, contentType: '' };

  return {
    async application(signal) {
      const found = applicationSchema.parse(await unlessRefused(request('GET', '/applications/@me', nothing, signal)));
      return { id: found.id, name: found.name, verifyKey: found.verify_key.toLowerCase() };
    },
    async setCommands(applicationId, signal) {
      await unlessRefused(request('PUT', `/applications/${applicationId}/commands`, json(COMMANDS), signal));
    },
    async send({ chatId, text, picture, nonce }, signal) {
      const message = {
        content: text,
        nonce,
        enforce_nonce: true,
        flags: SUPPRESS_EMBEDS,
        allowed_mentions: { parse: [] },
      };
      const path = `/channels/${chatId}/messages`;
      if (picture === null) return void (await request('POST', path, json(message), signal));
      const attachments = [{ id: 0, filename: 'forecast.png' }];
      const fields = { payload_json: JSON.stringify({ ...message, attachments }) };
      await request('POST', path, pictureForm(fields, { name: 'files[0]', bytes: picture }), signal);
    },
  };
}

function failureOf({ status, body, retryAfterMs }: CallAnswer): ChatNotSent {
  const { retry_after: seconds, global: isGlobal, code } = refusalSchema.safeParse(parsedJson(body)).data ?? {};
  const requestedMs = seconds == null ? retryAfterMs : Math.max(0, seconds) * 1000;
  const reason = code == null || code === 0 ? String(status) : `${status} ${code}`;
  return new ChatNotSent(reason, kindOf(status, code ?? 0), {
    retryAfterMs: requestedMs,
    isGlobal: isGlobal ?? false,
  });
}

function kindOf(status: number, code: number): ChatFailure {
  if (status === 401) return 'token';
  if (status === 403 || (status === 400 && MAY_NOT_WRITE.has(code))) return 'blocked';
  if (status === 404) return 'not-found';
  return status === 400 || status === 413 ? 'refused' : 'later';
}
