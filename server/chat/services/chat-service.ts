/** What both chat services have in common: a bot that knows its name, and messages that arrive or don't. */
import { randomUUID } from 'node:crypto';
import type { ChatService } from '#domain/chat/chat-channel.ts';
import { CallFailed } from '../../platform/outbound/guarded-request.ts';

/** A service with the bot's token; a sandbox has a base address without a trailing slash. */
export type ChatSource = { kind: 'live'; token: string } | { kind: 'sandbox'; token: string; url: string };
export type ChatSources = Readonly<Record<ChatService, ChatSource | null>>;

export interface ChatMessage {
  chatId: string;
  text: string;
  /** PNG. */
  picture: Uint8Array<ArrayBuffer> | null;
  /** The same in every try: at most 25 characters. */
  nonce: string;
}

/** @throws ChatNotSent */
export type SendChat = (message: ChatMessage, signal: AbortSignal) => Promise<void>;

/**
 * `blocked`, `not-found`: of the chat. `refused`: this message would be refused again. `token`: the service refuses the
 * bot. `moved`: the chat has another id. `later`: a retry may succeed. `dropped`: by us, before the service had it.
 */
export type ChatFailure = 'blocked' | 'not-found' | 'refused' | 'token' | 'moved' | 'later' | 'dropped';

export interface FailureDetails {
  retryAfterMs?: number | null;
  /** The wait holds for all chats of the service. */
  isGlobal?: boolean;
  movedTo?: string;
}

export class ChatNotSent extends Error {
  override readonly name = 'ChatNotSent';
  readonly failure: ChatFailure;
  readonly retryAfterMs: number | null;
  readonly isGlobal: boolean;
  readonly movedTo: string | null;

  /** @param reason  a code only, without addresses or the service's text, because it is stored and logged */
  constructor(reason: string, failure: ChatFailure, details: FailureDetails = {}) {
    super(reason);
    this.failure = failure;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.isGlobal = details.isGlobal ?? false;
    this.movedTo = details.movedTo ?? null;
  }
}

/** The service refuses the bot's token. Its name is shown to the operator as the failure of a job. */
export class ChatTokenRefused extends Error {
  override readonly name = 'ChatTokenRefused';
}

/** No answer: the address is not in it, because Telegram's holds the token. */
export function notReached(error: unknown, signal: AbortSignal): ChatNotSent {
  if (signal.aborted) return new ChatNotSent('stopped', 'later');
  return new ChatNotSent(error instanceof CallFailed ? error.message : 'unknown fault', 'later');
}

/** A job fails with the name of its error. */
export async function unlessRefused<T>(calling: Promise<T>): Promise<T> {
  return calling.catch((error: unknown) => {
    throw error instanceof ChatNotSent && error.failure === 'token' ? new ChatTokenRefused(error.message) : error;
  });
}

/**
 * A form with one picture. Not through FormData, which turns the line ends of texts into those of Windows.
 * @param fields  names are our own; values may hold anything but the boundary, which is random
 */
export function pictureForm(
  fields: Readonly<Record<string, string>>,
  picture: { name: string; bytes: Uint8Array },
): { body: Uint8Array; contentType: string } {
  const boundary = `kat-${randomUUID()}`;
  const part = (head: string, content: string | Uint8Array) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const parts = Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value));
  const file = part(`name="${picture.name}"; filename="forecast.png"\r\ncontent-type: image/png`, picture.bytes);
  const body = Buffer.concat([...parts, ...file, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
