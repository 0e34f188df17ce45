/** Why a stream ended and what follows: the notice, whether it is reported, whether the server has decided. */
import * as z from 'zod/mini';
import type { CloseReason } from './forecast-state.ts';

/** A fault of the stream that the page itself detected. */
export class StreamProblem extends Error {
  override readonly name = 'StreamProblem';
  readonly code: string;
  readonly status = 0;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export function badMessage(): StreamProblem {
  return new StreamProblem('stream/bad-message', UNREADABLE);
}

export interface Closing {
  code: string;
  reason: CloseReason;
  /** Message for users. */
  notice: string;
  /** Whether it belongs in the error log; a refusal does not. */
  isReported: boolean;
  /** The server has decided, so this run has nothing left to finish. */
  isDecided: boolean;
}

/** The server did nothing yet: a run in progress can still continue. */
export const SERVER_BUSY = 'server/busy';

const REASONS: Readonly<Record<string, CloseReason>> = {
  'stream/lost': 'connection-lost',
  'stream/error-message': 'error-message',
  'stream/bad-json': 'bad-message',
  'stream/bad-message': 'bad-message',
  'stream/other-history': 'history-failed',
};

const codedSchema = z.object({ code: z.string(), message: z.string(), status: z.number() });

/** Interprets any error thrown by a stream, a call or our own checks. */
export function closingOf(error: unknown): Closing {
  const parsed = codedSchema.safeParse(error);
  if (!parsed.success) {
    const isRefusal = error instanceof Error && error.name === 'Refusal';
    return { code: 'unknown', reason: 'bad-message', notice: UNREADABLE, isReported: true, isDecided: isRefusal };
  }
  const { code, message, status } = parsed.data;
  const reason = REASONS[code] ?? (status > 0 ? 'refused' : 'connection-lost');
  const isDecided = code !== SERVER_BUSY && (reason === 'refused' || reason === 'error-message');
  return { code, reason, notice: message, isReported: reason !== 'refused', isDecided };
}

/** The server's message of a refusal; null for any other error. */
export function sentenceOf(error: unknown): string | null {
  const parsed = codedSchema.safeParse(error);
  return parsed.success && parsed.data.status > 0 ? parsed.data.message : null;
}

export const HISTORY_FAILED = 'Failed to load';
export const LOST = 'The connection was lost.';
const UNREADABLE = 'The forecast could not be read.';
