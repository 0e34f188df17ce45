/** Why a stream ended and what that means: what is said, what is reported, whether the server has decided. */
import * as z from 'zod/mini';
import type { CloseReason } from './forecast-state.ts';

/** A fault of the stream that the page itself found. */
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
  /** For people. */
  notice: string;
  /** Worth a line in the error log: a refusal is not. */
  isReported: boolean;
  /** The server has decided, so nothing of this run is left to finish. */
  isDecided: boolean;
}

/** Nothing was done: what is under way can still go on. */
export const SERVER_BUSY = 'server/busy';

const REASONS: Readonly<Record<string, CloseReason>> = {
  'stream/lost': 'connection-lost',
  'stream/error-message': 'error-message',
  'stream/bad-json': 'bad-message',
  'stream/bad-message': 'bad-message',
  'stream/other-history': 'history-failed',
};

const codedSchema = z.object({ code: z.string(), message: z.string(), status: z.number() });

/** Reads any error that a stream, a call or our own checks threw. */
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

/** What the server said when it refused; null for anything else. */
export function sentenceOf(error: unknown): string | null {
  const parsed = codedSchema.safeParse(error);
  return parsed.success && parsed.data.status > 0 ? parsed.data.message : null;
}

export const HISTORY_FAILED = 'Failed to load';
export const LOST = 'The connection was lost.';
const UNREADABLE = 'The forecast could not be read.';
