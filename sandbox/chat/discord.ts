/**
 * Discord's HTTP API v10, simulated for a bot: its application, slash commands, messages with files, rate limits; and
 * the interactions that Discord posts to the app. https://discord.com/developers/docs/reference
 */
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { RestAnswer } from '../rest-answer.ts';
import { type ApiRequest, readFields, type SentFile } from './api-request.ts';
import { type Conversation, openConversations } from './conversations.ts';
import { commandsSchema, type DiscordCommand, type InteractionContext, readCommand } from './discord-commands.ts';
import { BadEndpoint, mentionsEveryone, openInteractions } from './discord-interactions.ts';
import { pictureSize } from './picture-size.ts';
import { type RateState, rateWindow } from './rate-window.ts';
import type { SimulatedChat } from './service.ts';

const APPLICATION_ID = '930000000000000001';
const BOT = { id: '930000000000000002', username: 'Kat sandbox', discriminator: '0000', bot: true };
const SERVER = { id: '930000000000000003', name: 'Sample server' };
const USER = { id: '930000000000000004', username: 'sample-user', global_name: 'Sample user', discriminator: '0' };
const CHATS = [
  { id: '930000000000000011', name: 'alerts', isDirect: false },
  { id: '930000000000000012', name: 'research', isDirect: false },
  { id: '930000000000000013', name: 'Sample user', isDirect: true },
];
/** Every permission of a member, as for the server's owner. */
const ALL_PERMISSIONS = String(2n ** 53n - 1n);

const MAX_CONTENT = 2000;
const MAX_FILES = 10;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const LIMITS = { global: { limit: 50, perMs: 1000 }, channel: { limit: 5, perMs: 5000 } };
/** How long the same nonce gives the same message. */
const NONCE_MS = 5 * 60_000;
const DISCORD_EPOCH_MS = Date.UTC(2015, 0, 1);

const messageSchema = z.object({
  content: z._default(z.string(), ''),
  allowed_mentions: z.optional(z.object({ parse: z.optional(z.array(z.string())) })),
  attachments: z.optional(
    z.array(z.object({ id: z.coerce.number(), filename: z.optional(z.string()), description: z.optional(z.string()) })),
  ),
  nonce: z.optional(z.union([z.string().check(z.maxLength(25)), z.int()])),
  enforce_nonce: z.optional(z.boolean()),
  flags: z.optional(z.int()),
});

export interface SandboxDiscordOptions {
  token: string;
  nowMs: () => number;
  /** The app's interactions address; null: it has none yet. */
  interactionsUrl(): string | null;
}

export function discord({ token, nowMs, interactionsUrl }: SandboxDiscordOptions): SimulatedChat {
  const conversations = openConversations(CHATS, nowMs);
  const interactions = openInteractions({ endpoint: interactionsUrl, nowMs });
  const overall = rateWindow({ ...LIMITS.global, nowMs });
  const channels = rateWindow({ ...LIMITS.channel, nowMs });
  const nonces = new Map<string, { message: unknown; untilMs: number }>();
  let commands: readonly DiscordCommand[] = [];
  let sequence = 0n;

  function snowflake(): string {
    sequence += 1n;
    return String((BigInt(Math.floor(nowMs()) - DISCORD_EPOCH_MS) << 22n) | (sequence & 0x3fffffn));
  }

  async function answer(request: ApiRequest): Promise<RestAnswer> {
    const { method, path, headers } = request;
    if (!path.startsWith('/api/v10/')) return refused(404, '404: Not Found', 0);
    if (!/^DiscordBot \(\S+, \S+\)/.test(headers['user-agent'] ?? ''))
      return refused(403, 'internal network error', 40333);
    if (headers.authorization !== `Bot ${token}`) return refused(401, '401: Unauthorized', 0);
    const global = overall.take('');
    if (!global.isAllowed) return limited(global, 'global');
    const route = path.slice('/api/v10'.length);
    if (method === 'GET' && route === '/applications/@me') return { status: 200, body: application() };
    const applicationId = /^\/applications\/(\d+)\/commands$/.exec(route)?.[1];
    if (method === 'PUT' && applicationId !== undefined) return register(applicationId, request);
    const channelId = /^\/channels\/(\d+)\/messages$/.exec(route)?.[1];
    if (method === 'POST' && channelId !== undefined) return post(channelId, request);
    return refused(404, '404: Not Found', 0);
  }

  function application(): unknown {
    return {
      id: APPLICATION_ID,
      name: BOT.username,
      icon: null,
      description: '',
      bot: BOT,
      flags: 0,
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: interactions.verifyKey,
      interactions_endpoint_url: interactionsUrl(),
    };
  }

  function register(applicationId: string, { body }: ApiRequest): RestAnswer {
    if (applicationId !== APPLICATION_ID)
      return refused(403, 'You are not authorized to perform this action on this application', 20012);
    const wanted = commandsSchema.safeParse(parsedJson(body.toString('utf8')));
    if (!wanted.success) return invalidForm(wanted.error);
    commands = wanted.data;
    const stored = wanted.data.map((command) => ({
      id: snowflake(),
      application_id: APPLICATION_ID,
      version: snowflake(),
      ...command,
    }));
    return { status: 200, body: stored };
  }

  async function post(channelId: string, request: ApiRequest): Promise<RestAnswer> {
    const rate = channels.take(channelId);
    if (!rate.isAllowed) return limited(rate, 'user');
    return withRate(await postAllowed(channelId, request), rate);
  }

  async function postAllowed(channelId: string, request: ApiRequest): Promise<RestAnswer> {
    const chat = conversations.find(channelId);
    if (chat === null || chat.reach === 'deleted') return refused(404, 'Unknown Channel', 10003);
    if (chat.reach === 'blocked')
      return chat.isDirect
        ? refused(403, 'Cannot send messages to this user', 50007)
        : refused(403, 'Missing Access', 50001);
    const fields = await readFields(request);
    if (fields === null) return refused(400, 'The request body contains invalid JSON.', 50109);
    const payload = fields.values.get('payload_json');
    const wanted = messageSchema.safeParse(
      typeof payload === 'string' ? parsedJson(payload) : Object.fromEntries(fields.values),
    );
    if (!wanted.success) return invalidForm(wanted.error);
    const { content, nonce, enforce_nonce: isOnce = false, attachments = [] } = wanted.data;
    const files = filesOf(fields.files);
    if ([...content].length > MAX_CONTENT || files.size > MAX_FILES || attachments.some(({ id }) => !files.has(id)))
      return invalidForm(null);
    if ([...files.values()].some(({ bytes }) => bytes.length > MAX_FILE_BYTES))
      return refused(413, 'Request entity too large', 40005);
    if (content.trim() === '' && files.size === 0) return refused(400, 'Cannot send an empty message', 50006);
    const nonceKey = isOnce && nonce !== undefined ? `${channelId} ${nonce}` : null;
    const former = nonceKey === null ? undefined : nonces.get(nonceKey);
    if (former !== undefined && former.untilMs > nowMs()) return { status: 200, body: former.message };
    const message = written(chat, { ...wanted.data, files });
    if (nonceKey !== null) nonces.set(nonceKey, { message, untilMs: nowMs() + NONCE_MS });
    return { status: 200, body: message };
  }

  function written(
    chat: Conversation,
    {
      content,
      nonce,
      allowed_mentions: allowed,
      files,
    }: z.infer<typeof messageSchema> & { files: Map<number, SentFile> },
  ): unknown {
    const pictures = [...files.values()].flatMap(({ bytes }) => {
      const size = pictureSize(bytes);
      return size === null ? [] : [{ type: size.type, bytes }];
    });
    const everyone = mentionsEveryone(content, allowed?.parse);
    const [picture = null] = pictures;
    conversations.write(chat.id, { from: 'bot', text: content, picture, mentionsEveryone: everyone });
    return {
      id: snowflake(),
      type: 0,
      channel_id: chat.id,
      author: BOT,
      content,
      mention_everyone: everyone,
      timestamp: new Date(nowMs()).toISOString(),
      edited_timestamp: null,
      tts: false,
      pinned: false,
      flags: 0,
      mentions: [],
      mention_roles: [],
      embeds: [],
      components: [],
      ...(nonce === undefined ? {} : { nonce }),
      attachments: [...files.values()].map(({ name, type, bytes }) => {
        const { width, height } = pictureSize(bytes) ?? {};
        return { id: snowflake(), filename: name, size: bytes.length, content_type: type, width, height };
      }),
    };
  }

  async function enter(id: string, text: string): Promise<void> {
    const chat = conversations.find(id);
    if (chat === null || chat.reach !== 'open') return;
    conversations.write(id, { from: 'user', text, isPrivate: text.startsWith('/') });
    // An app without a gateway connection receives commands only.
    if (!text.startsWith('/')) return;
    const notice = (words: string) => conversations.write(id, { from: 'service', text: words, isPrivate: true });
    const context: InteractionContext = chat.isDirect ? 1 : 0;
    const data = readCommand(text, commands, context);
    if ('notice' in data) {
      notice(data.notice);
      return;
    }
    const origin = chat.isDirect
      ? { user: USER }
      : { guild_id: SERVER.id, member: { user: USER, roles: [], permissions: ALL_PERMISSIONS } };
    try {
      const reply = await interactions.post({
        id: snowflake(),
        application_id: APPLICATION_ID,
        type: 2,
        version: 1,
        token: `sandbox-${snowflake()}`,
        data: { id: snowflake(), ...data },
        channel_id: id,
        context,
        locale: 'en-US',
        entitlements: [],
        channel: { id, type: context, ...(chat.isDirect ? {} : { name: chat.name, guild_id: SERVER.id }) },
        authorizing_integration_owners: { 0: chat.isDirect ? '0' : SERVER.id },
        app_permissions: ALL_PERMISSIONS,
        attachment_size_limit: MAX_FILE_BYTES,
        ...origin,
      });
      if (reply === null) notice('The application did not respond');
      else {
        const { content, ...visibility } = reply;
        conversations.write(id, { from: 'bot', text: content, ...visibility });
      }
    } catch (error) {
      if (!(error instanceof BadEndpoint)) throw error;
      notice(error.message);
    }
  }

  return {
    name: 'discord',
    title: 'Discord',
    conversations,
    answer,
    faultTarget: (path) => path,
    refusal: (status, retryAfterS) =>
      status === 429 ? limitBody(retryAfterS ?? 1, false) : { message: `${status}: fault`, code: 0 },
    enter,
    setReach: async (id, reach) => conversations.setReach(id, reach),
    close: () => undefined,
  };
}

/** `files[0]` is number 0. */
function filesOf(files: ReadonlyMap<string, SentFile>): Map<number, SentFile> {
  return new Map(
    [...files].flatMap(([field, file]): [number, SentFile][] => {
      const place = /^files\[(\d{1,2})\]$/.exec(field)?.[1];
      return place === undefined ? [] : [[Number(place), file]];
    }),
  );
}

function refused(status: number, message: string, code: number): RestAnswer {
  return { status, body: { message, code } };
}

function invalidForm(error: z.core.$ZodError | null): RestAnswer {
  const errors =
    error === null ? {} : { _errors: error.issues.map(({ path, message }) => ({ code: path.join('.'), message })) };
  return { status: 400, body: { message: 'Invalid Form Body', code: 50035, errors } };
}

function limitBody(waitS: number, isGlobal: boolean): unknown {
  return { message: 'You are being rate limited.', retry_after: waitS, global: isGlobal };
}

function limited(rate: RateState, scope: 'global' | 'user'): RestAnswer {
  const waitS = Number((rate.waitMs / 1000).toFixed(3));
  const answer = { status: 429, body: limitBody(waitS, scope === 'global') };
  const headers = {
    'retry-after': String(Math.ceil(waitS)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
  };
  return withRate({ ...answer, headers }, rate);
}

function withRate(answer: RestAnswer, { limit, remaining, waitMs }: RateState): RestAnswer {
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset-after': (waitMs / 1000).toFixed(3),
      'x-ratelimit-bucket': 'sandbox',
    },
  };
}
