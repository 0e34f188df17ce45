import { isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { SqlError } from '../../platform/database/database.ts';
import { budgetRefusal } from '../byte-budget.ts';

export interface RestErrorBody {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
}

export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  readonly body: RestErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { details?: string; hint?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.body = { code, message, details: options.details ?? null, hint: options.hint ?? null };
    this.headers = options.headers ?? {};
  }
}

/** 400 PGRST100. @param text the part of the request; empty if no single part shows it */
export function notUnderstood(what: string, text = ''): RestError {
  const shown = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  const message = `failed to parse ${what}${shown === '' ? '' : ` (${shown})`}`;
  return new RestError(400, 'PGRST100', message, { details: `not understood: ${shown === '' ? what : shown}` });
}

/** @param near  the column that was probably meant */
export function unknownColumn(relation: string, column: string, near: string | null): RestError {
  return new RestError(400, '42703', `column ${relation}.${column} does not exist`, {
    ...(near !== null && { hint: `Perhaps you meant to reference the column "${relation}.${near}".` }),
  });
}

export function unknownWrittenColumn(relation: string, column: string): RestError {
  const shown = column.slice(0, 63);
  return new RestError(400, 'PGRST204', `Could not find the '${shown}' column of '${relation}' in the schema cache`);
}

export function invalidBody(message: string): RestError {
  return new RestError(400, 'PGRST102', message);
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  // Nested deeper than the parser goes: the request's fault.
  '54001': 400,
  '53400': 500,
  // For example, a view that isn't writable.
  '55000': 400,
  '57P01': 503,
  P0001: 400,
};

const STATUS_BY_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  // A procedure raised a PT code that isn't a valid error status.
  PT: 500,
  XX: 500,
};

function statusOfSqlState(code: string, isAnonymous: boolean): number {
  if (code === '42501') return isAnonymous ? 401 : 403;
  return STATUS_BY_CODE[code] ?? STATUS_BY_CLASS[code.slice(0, 2)] ?? 400;
}

/** A procedure may choose its status: `raise ... using errcode = 'PT404'`. */
function chosenStatus(code: string): number | null {
  const digits = /^PT([45]\d\d)$/.exec(code)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The refusal a client sees; null for a bug, which must be logged. */
export function toRestError(error: unknown, isAnonymous: boolean): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof SqlError) {
    const chosen = chosenStatus(error.code);
    const status = chosen ?? statusOfSqlState(error.code, isAnonymous);
    if (status >= 500 && chosen === null) return null;
    const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    return new RestError(status, error.code, error.message, {
      ...(error.details === null ? {} : { details: error.details }),
      ...(error.hint === null ? {} : { hint: error.hint }),
      headers,
    });
  }
  if (isAppError(error)) {
    switch (error.code) {
      case 'auth/bad-token':
        return badToken(error.details.reason === 'expired');
      case 'auth/session-ended':
        return tokenError('PGRST301', 'Session ended');
      case 'database/busy':
        if (isTimeLimit(error)) return tooSlow();
        return new RestError(503, 'PGRST001', MESSAGES[error.code], { headers: { 'retry-after': '1' } });
      case 'database/unavailable':
      case 'database/full':
      case 'backend/unavailable':
        return new RestError(503, 'PGRST001', MESSAGES[error.code], { headers: { 'retry-after': '1' } });
      case 'request/too-many':
        return new RestError(429, 'PGRST003', budgetRefusal(error, 'report') ?? MESSAGES[error.code], {
          headers: { 'retry-after': String(error.details.retryAfterS ?? 60) },
        });
      case 'request/too-large':
        return new RestError(413, 'PGRST102', MESSAGES[error.code]);
      case 'request/invalid':
        return invalidBody('Empty or invalid json');
      default:
        return null;
    }
  }
  return null;
}

/** The database server itself ended the statement (57014), or did not get a lock in time (55P03). */
export function isTimeLimit(error: unknown): boolean {
  if (!isAppError(error) || error.code !== 'database/busy') return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && (cause.code === '57014' || cause.code === '55P03');
}

/** 503 and not 500: on a busy machine the same request may succeed a second later. */
function tooSlow(): RestError {
  return new RestError(503, '57014', 'canceling statement due to statement timeout', {
    headers: { 'retry-after': '1' },
  });
}

function badToken(isExpired: boolean): RestError {
  return isExpired ? tokenError('PGRST303', 'JWT expired') : tokenError('PGRST301', 'JWT could not be verified');
}

function tokenError(code: string, message: string): RestError {
  return new RestError(401, code, message, {
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}
