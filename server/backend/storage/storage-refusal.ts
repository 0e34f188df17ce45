/**
 * {statusCode, code, error, message}. As on a hosted project, most have HTTP status 400 and their own status in the
 * body; those about size, load and our own faults keep theirs.
 */
import { type AppError, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { SqlError } from '../../platform/database/database.ts';
import { budgetRefusal } from '../byte-budget.ts';

/** Statuses that proxies and browsers must see themselves. */
const OPEN_STATUSES: ReadonlySet<number> = new Set([408, 413, 429, 500, 503]);

export class StorageRefusal extends Error {
  override readonly name = 'StorageRefusal';
  readonly statusCode: number;
  readonly code: string;
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  /** @param code the hosted service's name, as NoSuchKey. @param error its older name, as not_found */
  constructor(
    statusCode: number,
    code: string,
    error: string,
    message: string,
    options: { status?: number; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.statusCode = statusCode;
    this.code = code;
    this.error = error;
    this.headers = options.headers ?? {};
    this.status = options.status ?? (OPEN_STATUSES.has(statusCode) ? statusCode : 400);
  }
}

export function refusalResponse(refusal: StorageRefusal): Response {
  const { statusCode, code, error, message } = refusal;
  return Response.json(
    { statusCode: String(statusCode), code, error, message },
    { status: refusal.status, headers: { 'cache-control': 'no-store', ...refusal.headers } },
  );
}

export const noSuchBucket = () => new StorageRefusal(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found');
export const noSuchObject = () => new StorageRefusal(404, 'NoSuchKey', 'not_found', 'Object not found');
export const alreadyExists = () =>
  new StorageRefusal(409, 'KeyAlreadyExists', 'Duplicate', 'The resource already exists');
export const accessDenied = (message: string) => new StorageRefusal(403, 'AccessDenied', 'Unauthorized', message);
export const tooLarge = () =>
  new StorageRefusal(413, 'EntityTooLarge', 'Payload too large', 'The object exceeded the maximum allowed size');
export const invalidType = (type: string) =>
  new StorageRefusal(415, 'InvalidMimeType', 'invalid_mime_type', `mime type ${type} is not supported`);
export const invalidRequest = (message: string, cause?: unknown) =>
  new StorageRefusal(400, 'InvalidRequest', 'InvalidRequest', message, { cause });
export const notSupported = (feature: string) =>
  new StorageRefusal(400, 'NotSupported', 'not_supported', `${feature} is not supported`);
export const busy = (cause?: unknown) =>
  new StorageRefusal(
    503,
    'SlowDown',
    'SlowDown',
    'The storage service is busy or unavailable. Try again in a moment.',
    {
      headers: { 'retry-after': '1' },
      cause,
    },
  );

/** `BudgetExceeded` is ours: its message is a sentence for the user. */
function tooMany(error: AppError): StorageRefusal {
  const headers = { 'retry-after': String(error.details.retryAfterS ?? 1) };
  const exceeded = budgetRefusal(error, 'file');
  return exceeded === null
    ? new StorageRefusal(429, 'SlowDown', 'too_many_requests', MESSAGES['request/too-many'], { headers })
    : new StorageRefusal(429, 'BudgetExceeded', 'too_many_requests', exceeded, { headers });
}

/** The refusal a client sees; null for a bug, which must be logged. */
export function toStorageRefusal(error: unknown): StorageRefusal | null {
  if (error instanceof StorageRefusal) return error;
  if (error instanceof SqlError) {
    // The names of table and policy stay hidden, as on a hosted project.
    if (error.code === '42501') return accessDenied('new row violates row-level security policy');
    return error.code.startsWith('22') ? invalidRequest('A value is not valid', error) : null;
  }
  if (!isAppError(error)) return null;
  switch (error.code) {
    case 'request/too-many':
      return tooMany(error);
    case 'request/too-large':
      return tooLarge();
    case 'request/invalid':
      return invalidRequest('The body is not valid', error);
    case 'auth/bad-token':
      return accessDenied(error.details.reason === 'expired' ? '"exp" claim timestamp check failed' : 'Invalid JWT');
    case 'auth/session-ended':
      return accessDenied('Session from session_id claim in JWT does not exist');
    case 'database/unavailable':
    case 'database/busy':
    case 'database/full':
      return new StorageRefusal(503, 'DatabaseTimeout', 'DatabaseTimeout', MESSAGES[error.code], {
        headers: { 'retry-after': '1' },
        cause: error,
      });
    default:
      return null;
  }
}
