/** Refusals of the auth service in the protocol's own shape: {code, error_code, msg} and the header x-sb-error-code. */
import { isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { SqlError } from '../../platform/database/database.ts';

export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly status: number;
  readonly errorCode: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the body, such as `weak_password`. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    errorCode: string,
    message: string,
    options: { headers?: Record<string, string>; fields?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
    this.headers = options.headers ?? {};
    this.fields = options.fields ?? {};
  }
}

export function validationFailed(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message);
}

/** @param retryAfterS  seconds, from a limiter's refusal */
export function tooManyRequests(
  errorCode: 'over_request_rate_limit' | 'over_email_send_rate_limit',
  retryAfterS: unknown,
): AuthError {
  const seconds = typeof retryAfterS === 'number' ? Math.ceil(retryAfterS) : 1;
  return new AuthError(429, errorCode, 'Too many requests', { headers: { 'retry-after': String(seconds) } });
}

export function authErrorResponse(error: AuthError): Response {
  return Response.json(
    { code: error.status, error_code: error.errorCode, msg: error.message, ...error.fields },
    {
      status: error.status,
      headers: { 'cache-control': 'no-store', ...error.headers, 'x-sb-error-code': error.errorCode },
    },
  );
}

/** The refusal a client sees; null for a bug, which must be logged. */
export function toAuthError(error: unknown): AuthError | null {
  if (error instanceof AuthError) return error;
  // A value that PostgreSQL cannot store, such as half a surrogate pair.
  if (error instanceof SqlError && error.code.startsWith('22')) return validationFailed('A value is not valid');
  if (!isAppError(error)) return null;
  switch (error.code) {
    case 'request/too-many':
      return tooManyRequests('over_request_rate_limit', error.details.retryAfterS);
    case 'request/too-large':
      return new AuthError(413, 'validation_failed', MESSAGES[error.code]);
    case 'request/invalid':
      return new AuthError(400, 'bad_json', 'Could not parse request body as JSON');
    case 'auth/bad-token': {
      const reason = error.details.reason === 'expired' ? 'token is expired' : 'token could not be verified';
      return new AuthError(403, 'bad_jwt', `invalid JWT: ${reason}`);
    }
    case 'auth/session-ended':
      return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
    case 'database/unavailable':
    case 'database/busy':
    case 'database/full':
    case 'backend/unavailable':
      return new AuthError(503, 'unexpected_failure', MESSAGES[error.code], { headers: { 'retry-after': '1' } });
    default:
      return null;
  }
}
