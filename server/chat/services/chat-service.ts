/** What both chat services have in common: a bot that knows its name, and messages that arrive or don't. */
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
 * bot. `moved`: the chat has another id. `later`: a retry may succeed.
 */
export type ChatFailure = 'blocked' | 'not-found' | 'refused' | 'token' | 'moved' | 'later';

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

/** The form's bytes with the content type that names its boundary. */
export async function encodedForm(form: FormData): Promise<{ body: Uint8Array; contentType: string }> {
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}
