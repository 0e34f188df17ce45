/** Interactions as Discord posts them: signed with Ed25519 over timestamp and body, answered within three seconds. */
import { generateKeyPairSync, sign } from 'node:crypto';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';

export interface Interactions {
  /** Hex, as the application's verify_key. */
  verifyKey: string;
  /** Null: the app did not respond, or not validly. @throws BadEndpoint */
  post(interaction: unknown): Promise<InteractionReply | null>;
}

export interface InteractionReply {
  content: string;
  /** Only the user who entered the command sees it. */
  isPrivate: boolean;
  mentionsEveryone: boolean;
}

/** The address fails the checks that Discord makes when an operator saves it. */
export class BadEndpoint extends Error {
  override readonly name = 'BadEndpoint';
}

const EPHEMERAL = 1 << 6;
const PING = { type: 1, version: 1 };
const MAX_ANSWER_CHARACTERS = 16_000;
const LIMIT_MS = 3000;

const pongSchema = z.object({ type: z.literal(1) });
const replySchema = z.object({
  type: z.literal(4),
  data: z.object({
    content: z.string().check(z.minLength(1), z.maxLength(2000)),
    flags: z._default(z.int(), 0),
    allowed_mentions: z.optional(z.object({ parse: z.optional(z.array(z.string())) })),
  }),
});

export interface InteractionsOptions {
  /** The app's interactions address; null: it has none yet. */
  endpoint(): string | null;
  nowMs(): number;
}

export function openInteractions({ endpoint, nowMs }: InteractionsOptions): Interactions {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  let checkedUrl: string | null = null;

  function signed(interaction: unknown, change = ''): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(interaction);
    const timestamp = String(Math.floor(nowMs() / 1000));
    const signature = sign(null, Buffer.from(`${timestamp}${body}${change}`), privateKey).toString('hex');
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
        'x-signature-ed25519': signature,
        'x-signature-timestamp': timestamp,
      },
    };
  }

  /** As Discord does when the address is saved: a valid ping, and one with a wrong signature. @throws BadEndpoint */
  async function check(url: string): Promise<void> {
    if (checkedUrl === url) return;
    const ping = { ...PING, id: '1', token: 'ping', application_id: '1' };
    const pong = await send(url, signed(ping));
    if (pong?.status !== 200 || !pongSchema.safeParse(pong.body).success)
      throw new BadEndpoint('The interactions address does not answer a ping.');
    const forged = await send(url, signed(ping, 'forged'));
    if (forged?.status !== 401)
      throw new BadEndpoint('The interactions address does not refuse a forged ping with status 401.');
    checkedUrl = url;
  }

  return {
    verifyKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex'),
    async post(interaction) {
      const url = endpoint();
      if (url === null) throw new BadEndpoint('The app has no interactions address.');
      await check(url);
      const answer = await send(url, signed(interaction));
      const reply = replySchema.safeParse(answer?.body);
      if (answer?.status !== 200 || !reply.success) return null;
      const { content, flags, allowed_mentions: allowed } = reply.data.data;
      return {
        content,
        isPrivate: (flags & EPHEMERAL) !== 0,
        mentionsEveryone: mentionsEveryone(content, allowed?.parse),
      };
    },
  };
}

/** @param parse  the kinds of mentions that notify; absent: all */
export function mentionsEveryone(content: string, parse: readonly string[] | undefined): boolean {
  return /@(?:everyone|here)\b/.test(content) && (parse === undefined || parse.includes('everyone'));
}

async function send(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<{ status: number; body: unknown } | null> {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await answer.text();
    return { status: answer.status, body: text.length > MAX_ANSWER_CHARACTERS ? undefined : parsedJson(text) };
  } catch {
    // No connection, or no answer in time: the user sees that the app did not respond.
    return null;
  }
}
