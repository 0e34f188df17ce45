/** A known path called with a method that it does not have: 405 and the list of those it has, instead of 'not found'. */
import type { Handler } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';

/** Mounted last on a path, for every method. @param allowed  as the header Allow names them */
export function onlyMethods(...allowed: readonly string[]): Handler {
  return () => {
    throw methodNotAllowed(allowed);
  };
}

/** HEAD reaches the handlers of GET: this is for those whose work nobody would read then. */
export function requireGet(request: Request): void {
  if (request.method !== 'GET') throw methodNotAllowed(['GET']);
}

function methodNotAllowed(allowed: readonly string[]): AppError {
  return new AppError('request/method-not-allowed', { details: { allow: allowed.join(', ') } });
}
