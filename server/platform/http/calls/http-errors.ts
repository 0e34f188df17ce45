/** The only place that maps an error code to a status. Responses are JSON; no stack reaches a client. */
import type { Handler } from 'hono';
import { AppError, type ErrorCode, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';

const STATUS: Readonly<Record<ErrorCode, number>> = {
  'request/invalid': 400,
  'request/not-found': 404,
  'request/method-not-allowed': 405,
  'request/wrong-host': 421,
  'request/too-large': 413,
  'request/too-many': 429,
  'auth/not-signed-in': 401,
  'auth/bad-token': 401,
  'auth/session-ended': 401,
  'auth/second-factor-needed': 403,
  'auth/forbidden': 403,
  'account/current-session': 409,
  'account/no-such-session': 404,
  'account/no-second-factor': 409,
  'account/wrong-recovery-code': 403,
  'account/deletion-by-operator': 403,
  'account/wrong-password': 403,
  'account/proof-needed': 403,
  'account/last-admin': 409,
  'account/payment-owed': 409,
  'account/plan-runs': 409,
  'account/address-not-proven': 403,
  'account/too-many-keys': 409,
  'account/no-such-key': 404,
  'push/not-possible': 503,
  'push/bad-endpoint': 400,
  'push/too-many-devices': 409,
  'push/no-such-device': 404,
  'alerts/too-many-rules': 409,
  'alerts/no-such-prediction': 404,
  'alerts/no-such-rule': 404,
  'alerts/market-open': 409,
  'webhooks/bad-address': 400,
  'webhooks/too-many': 409,
  'webhooks/no-such-endpoint': 404,
  'webhooks/no-such-delivery': 404,
  'webhooks/paused': 409,
  'chat/unavailable': 503,
  'chat/too-many': 409,
  'chat/no-such-chat': 404,
  'chat/paused': 409,
  'share/no-such-prediction': 404,
  'share/no-picture': 503,
  'api/no-key': 401,
  'api/bad-key': 401,
  'api/key-revoked': 401,
  'api/key-expired': 401,
  'api/key-too-weak': 403,
  'api/key-in-address': 400,
  'market/unknown-symbol': 400,
  'market/closed': 409,
  'market/delisted': 409,
  'market/halted': 409,
  'market/too-few-candles': 409,
  'venue/unavailable': 503,
  'venue/not-connected': 503,
  'forecast/too-short': 400,
  'forecast/not-trained': 503,
  'forecast/model-locked': 403,
  'forecast/failed': 503,
  'forecast/amplify-refused': 400,
  'forecast/unknown-reservation': 404,
  'forecast/not-opened': 403,
  'chances/refused': 409,
  'quota/daily-spent': 403,
  'quota/monthly-spent': 403,
  'prediction/not-streamed': 409,
  'prediction/wrong-length': 400,
  'prediction/admin-saves-nothing': 403,
  'billing/not-set-up': 503,
  'billing/unknown-price': 400,
  'billing/foreign-address': 400,
  'billing/already-subscribed': 409,
  'billing/no-such-subscription': 404,
  'billing/subscription-ended': 409,
  'billing/subscription-replaced': 409,
  'billing/cancellation-pending': 409,
  'billing/no-such-checkout': 404,
  'billing/not-previewable': 409,
  'billing/not-in-order': 409,
  'billing/busy': 409,
  'billing/provider-unavailable': 503,
  'billing/provider-refused': 502,
  'billing/bad-signature': 400,
  'database/unavailable': 503,
  'database/busy': 503,
  'database/full': 503,
  'backend/unavailable': 503,
  'server/busy': 503,
  internal: 500,
};

/** Refusals of features that the operator has not set up. The operator knows of them, and visitors may cause many. */
const NOT_SET_UP: ReadonlySet<ErrorCode> = new Set(['venue/not-connected', 'billing/not-set-up', 'push/not-possible']);

/** True for errors that an operator must see: bugs, and refusals caused by the server rather than the caller. */
export function isOurFault(error: unknown): boolean {
  return !isAppError(error) || (statusOf(error) >= 500 && !NOT_SET_UP.has(error.code));
}

const NO_STORE = { 'cache-control': 'no-store' } as const;

export interface ErrorBody {
  error: string;
  code: ErrorCode;
  details?: Readonly<Record<string, unknown>>;
}

export function statusOf(error: AppError): number {
  return STATUS[error.code];
}

export function errorBody(error: AppError): ErrorBody {
  const hasDetails = Object.keys(error.details).length > 0;
  return { error: MESSAGES[error.code], code: error.code, ...(hasDetails ? { details: error.details } : {}) };
}

/**
 * Any unexpected error becomes a plain 500 without details. Never cached: the same request may succeed a moment later.
 */
export function errorResponse(error: unknown): Response {
  if (!isAppError(error)) {
    return Response.json({ error: MESSAGES.internal, code: 'internal' } satisfies ErrorBody, {
      status: 500,
      headers: NO_STORE,
    });
  }
  const headers: Record<string, string> = { ...NO_STORE };
  const retryAfterS = error.details.retryAfterS;
  if (typeof retryAfterS === 'number') headers['retry-after'] = String(Math.ceil(retryAfterS));
  if (typeof error.details.allow === 'string') headers.allow = error.details.allow;
  if (statusOf(error) === 401) headers['www-authenticate'] = 'Bearer';
  return Response.json(errorBody(error), { status: statusOf(error), headers });
}

export type ParameterProblem = 'missing' | 'repeated' | 'invalid' | 'unknown';

/** @param parameter  `body` and `content-type` are parameters too */
export function invalidParameter(parameter: string, problem: ParameterProblem, cause?: unknown): AppError {
  return new AppError('request/invalid', { details: { parameter, problem }, cause });
}

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
