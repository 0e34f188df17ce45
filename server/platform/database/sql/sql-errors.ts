import postgres from 'postgres';
import { AppError } from '#domain/errors/app-error.ts';
import { SqlError } from '../database.ts';

/** statement_timeout, lock_timeout. */
const TIME_LIMIT_CODES = new Set(['57014', '55P03']);
/** Shut down, crashed, starting up, idle too long, no connection left. */
const UNAVAILABLE_CODES = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300']);
/** Reads still work; only writes that need more space fail. */
const FULL_CODE = '53100';

/** @returns AppError `database/busy`, `database/full` or `database/unavailable`, SqlError, or the error unchanged */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof SqlError) return error;
  if (error instanceof postgres.PostgresError) {
    if (TIME_LIMIT_CODES.has(error.code)) return new AppError('database/busy', { cause: error });
    if (error.code === FULL_CODE) return new AppError('database/full', { cause: error });
    if (UNAVAILABLE_CODES.has(error.code) || error.code.startsWith('08')) return unavailable(error);
    return new SqlError(error.code, error.message, error.detail ?? null, error.hint ?? null, error);
  }
  return isConnectionError(error) ? unavailable(error) : error;
}

export function unavailable(cause?: unknown): AppError {
  return new AppError('database/unavailable', cause === undefined ? {} : { cause });
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(CONNECTION_|CONNECT_TIMEOUT|E[A-Z]{3,})/.test(error.code);
}
