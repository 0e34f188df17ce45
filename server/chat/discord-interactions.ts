/** POST /discord/interactions: Discord calls us when a user enters a command, and signs each call. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { replyText } from '#domain/chat/chat-texts.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { Core } from '../core.ts';
import { OWNER } from '../platform/database/database.ts';
import { foreignLine } from '../platform/feeds/foreign-text.ts';
import { invalidParameter, onlyMethods } from '../platform/http/calls/http-errors.ts';
import { readBytes } from '../platform/http/calls/request-body.ts';
import { type ChatCommand, type CommandLimits, runCommand } from './chat-commands.ts';
import { takeInteraction } from './stores/interaction-store.ts';
import type { ServiceChat } from './stores/link-store.ts';
import { queueMessage } from './stores/message-store.ts';
import { REPLY_TTL_S } from './telegram-poll.ts';

export const INTERACTIONS_PATH = '/discord/interactions';

export interface InteractionDeps extends Pick<Core, 'database' | 'clock'> {
  /** In hex; null until the bot is known. */
  verifyKey(): string | null;
  limits: CommandLimits;
  sendsMails: boolean;
  /** The site's origin, without a trailing slash. */
  siteUrl(): string;
}

const MAX_BYTES = 64 * 1024;
const MAX_AGE_MS = 5 * 60_000;
const REFUSAL = 'invalid request signature';
const LONGEST_TITLE = 80;
const [PING, COMMAND] = [1, 2];
const [PONG, MESSAGE] = [1, 4];
/** Seen only by the user who entered the command. */
const EPHEMERAL = 1 << 6;
const DIRECT_MESSAGE = 1;

const interactionSchema = z.object({
  id: z.string().check(z.regex(/^\d{1,20}$/)),
  type: z.number(),
  channel_id: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
  channel: z.optional(z.object({ type: z.optional(z.number()), name: z.optional(z.nullable(z.string())) })),
  data: z.optional(
    z.object({
      name: z.string(),
      options: z.optional(
        z.array(
          z.object({
            name: z.string(),
            options: z.optional(z.array(z.object({ name: z.string(), value: z.optional(z.unknown()) }))),
          }),
        ),
      ),
    }),
  ),
});
type Interaction = z.infer<typeof interactionSchema>;

export function discordInteractionRoutes(deps: InteractionDeps): Hono {
  return new Hono()
    .post(INTERACTIONS_PATH, async (c) => {
      const body = await readBytes(c.req.raw, MAX_BYTES);
      const verifyKey = deps.verifyKey();
      if (verifyKey === null) throw new AppError('chat/unavailable');
      const headers = {
        signature: c.req.header('x-signature-ed25519') ?? '',
        timestamp: c.req.header('x-signature-timestamp') ?? '',
      };
      if (!isFromDiscord(body, headers, verifyKey, deps.clock.nowMs())) return c.text(REFUSAL, 401);
      const parsed = interactionSchema.safeParse(parsedJson(Buffer.from(body).toString('utf8')));
      if (!parsed.success) throw invalidParameter('body', 'invalid');
      const answer = await answerTo(deps, parsed.data, Number(headers.timestamp) * 1000 + MAX_AGE_MS);
      return answer === null ? c.text(REFUSAL, 401) : c.json(answer, 200, { 'cache-control': 'no-store' });
    })
    .all(INTERACTIONS_PATH, onlyMethods('POST'));
}

export function isFromDiscord(
  body: Uint8Array,
  { signature, timestamp }: { signature: string; timestamp: string },
  verifyKey: string,
  nowMs: number,
): boolean {
  if (!/^[0-9a-f]{128}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs - Number(timestamp) * 1000) > MAX_AGE_MS) return false;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return verify(null, signed, keyOf(verifyKey), Buffer.from(signature, 'hex'));
}

function keyOf(verifyKey: string): KeyObject {
  const x = Buffer.from(verifyKey, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** @returns null for a command that had its effect already: someone repeats Discord's call */
async function answerTo(
  deps: InteractionDeps,
  interaction: Interaction,
  validUntilMs: number,
): Promise<Record<string, unknown> | null> {
  if (interaction.type === PING) return { type: PONG };
  const chat = chatOf(interaction);
  const command = commandOf(interaction);
  if (interaction.type !== COMMAND || chat === null || command === null) throw invalidParameter('body', 'invalid');
  const mayTryCode = command.kind === 'link' && (await deps.limits.mayTryCode(chat));
  const nowMs = deps.clock.nowMs();
  const { sendsMails } = deps;
  const text = await deps.database.transaction(OWNER, async (tx) => {
    if (!(await takeInteraction(tx, interaction.id, { validUntilMs, nowMs }))) return null;
    const context = { nowMs, sendsMails, mayTryCode, mayUnlink: true };
    const { reply, channelId } = await runCommand(tx, chat, command, context);
    const replied = replyText(reply, 'discord', deps.siteUrl());
    // The bot may answer commands in a channel where it may not write: this message shows that immediately.
    if (channelId !== null) {
      const message = { ...chat, channelId, key: `reply ${interaction.id}`, text: replied, ttlS: REPLY_TTL_S };
      await queueMessage(tx, message, new Date(nowMs).toISOString());
    }
    return replied;
  });
  if (text === null) return null;
  return { type: MESSAGE, data: { content: text, flags: EPHEMERAL, allowed_mentions: { parse: [] } } };
}

function chatOf({ channel_id: chatId, channel }: Interaction): ServiceChat | null {
  if (chatId === undefined) return null;
  const name = foreignLine(channel?.name ?? '', LONGEST_TITLE - 1);
  const title = channel?.type === DIRECT_MESSAGE ? 'Direct messages' : name === '' ? 'Discord channel' : `#${name}`;
  return { service: 'discord', chatId, title };
}

function commandOf({ data }: Interaction): ChatCommand | null {
  if (data?.name !== 'kat') return null;
  const [option] = data.options ?? [];
  switch (option?.name) {
    case 'link': {
      const code = option.options?.find(({ name }) => name === 'code')?.value;
      return { kind: 'link', code: typeof code === 'string' ? code : '' };
    }
    case 'unlink':
    case 'status':
      return { kind: option.name };
    default:
      return { kind: 'help' };
  }
}
