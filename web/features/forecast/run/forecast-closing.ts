/** Why a stream ended and what follows: the notice, whether it is reported, whether the server has decided. */
import { CallError } from '../../../platform/calls/call-error.ts';
import type { CloseReason } from './forecast-state.ts';

/** A stream that does not match its request. */
export function badMessage(): CallError {
  return new CallError('stream/bad-message', UNREADABLE, 0);
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

/** Interprets any error thrown by a stream, a call or our own checks. */
export function closingOf(error: unknown): Closing {
  if (!(error instanceof CallError)) {
    return { code: 'unknown', reason: 'bad-message', notice: UNREADABLE, isReported: true, isDecided: false };
  }
  const { code, message, status } = error;
  const reason = REASONS[code] ?? (status > 0 ? 'refused' : 'connection-lost');
  const isDecided = code !== SERVER_BUSY && (reason === 'refused' || reason === 'error-message');
  return { code, reason, notice: message, isReported: reason !== 'refused', isDecided };
}

/** The server's message of a refusal; null for any other error. */
export function sentenceOf(error: unknown): string | null {
  return error instanceof CallError && error.status > 0 ? error.message : null;
}

export const HISTORY_FAILED = 'Failed to load';
export const LOST = 'The connection was lost.';
const UNREADABLE = 'The forecast could not be read.';
