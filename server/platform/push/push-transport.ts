/** What the worker asks of whoever carries notifications to push services. */
import type { PushMessage } from '#domain/push/push-message.ts';
import type { PushSubscription } from './push-store.ts';

export interface PushTransport {
  /** @throws PushNotSent */
  send(
    subscription: PushSubscription,
    message: PushMessage,
    options: { ttlS: number; signal: AbortSignal },
  ): Promise<void>;
}

/**
 * `gone`: the browser has no such subscription any more. `refused`: the same notification would be refused again.
 * `later`: it may go another time.
 */
export type PushFailure = 'gone' | 'refused' | 'later';

export class PushNotSent extends Error {
  override readonly name = 'PushNotSent';
  readonly failure: PushFailure;
  /** As the push service asks; null: it does not say. */
  readonly retryAfterMs: number | null;

  /** @param reason  a code alone, no address and no text of the service's: it is stored and logged */
  constructor(reason: string, failure: PushFailure, retryAfterMs: number | null = null) {
    super(reason);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}
