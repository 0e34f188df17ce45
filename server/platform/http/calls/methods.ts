/** Answers a known path with an unsupported method: 405 and the supported methods, instead of 'not found'. */
import type { Handler } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';

/** Mounted last on a path, for every method. @param allowed  as in the Allow header */
export function onlyMethods(...allowed: readonly string[]): Handler {
  return () => {
    throw methodNotAllowed(allowed);
  };
}

/** HEAD also reaches GET handlers; this refuses it where the work would be wasted. */
export function requireGet(request: Request): void {
  if (request.method !== 'GET') throw methodNotAllowed(['GET']);
}

function methodNotAllowed(allowed: readonly string[]): AppError {
  return new AppError('request/method-not-allowed', { details: { allow: allowed.join(', ') } });
}
