/** Expected errors: one class, a closed list of codes. Anything else that is thrown is a bug and is not converted. */
export const ERROR_CODES = [
  'request/invalid',
  'request/not-found',
  'request/method-not-allowed',
  'request/wrong-host',
  'request/too-large',
  'request/too-many',
  'auth/not-signed-in',
  'auth/bad-token',
  'auth/session-ended',
  'auth/second-factor-needed',
  'auth/forbidden',
  'account/address-not-proven',
  'account/current-session',
  'account/no-such-session',
  'account/no-second-factor',
  'account/wrong-recovery-code',
  'account/deletion-by-operator',
  'account/wrong-password',
  'account/proof-needed',
  'account/last-admin',
  'account/payment-owed',
  'account/plan-runs',
  'account/too-many-keys',
  'account/no-such-key',
  'push/not-possible',
  'push/bad-endpoint',
  'push/too-many-devices',
  'push/no-such-device',
  'alerts/too-many-rules',
  'alerts/no-such-prediction',
  'alerts/no-such-rule',
  'alerts/market-open',
  'webhooks/bad-address',
  'webhooks/too-many',
  'webhooks/no-such-endpoint',
  'webhooks/no-such-delivery',
  'webhooks/paused',
  'chat/unavailable',
  'chat/too-many',
  'chat/no-such-chat',
  'chat/paused',
  'share/no-such-prediction',
  'share/no-picture',
  'api/no-key',
  'api/bad-key',
  'api/key-revoked',
  'api/key-expired',
  'api/key-too-weak',
  'api/key-in-address',
  'market/unknown-symbol',
  'market/closed',
  'market/delisted',
  'market/halted',
  'market/too-few-candles',
  'venue/unavailable',
  'venue/not-connected',
  'forecast/too-short',
  'forecast/not-trained',
  'forecast/model-locked',
  'forecast/failed',
  'forecast/amplify-refused',
  'forecast/unknown-reservation',
  'forecast/not-opened',
  'chances/refused',
  'quota/daily-spent',
  'quota/monthly-spent',
  'prediction/not-streamed',
  'prediction/wrong-length',
  'prediction/admin-saves-nothing',
  'billing/not-set-up',
  'billing/unknown-price',
  'billing/foreign-address',
  'billing/already-subscribed',
  'billing/no-such-subscription',
  'billing/subscription-ended',
  'billing/subscription-replaced',
  'billing/cancellation-pending',
  'billing/not-in-order',
  'billing/no-such-checkout',
  'billing/not-previewable',
  'billing/busy',
  'billing/provider-unavailable',
  'billing/provider-refused',
  'billing/bad-signature',
  'database/unavailable',
  'database/busy',
  'database/full',
  'backend/unavailable',
  'server/busy',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Facts a client may act on (a time, a parameter's name); never secrets. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}
