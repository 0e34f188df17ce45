/** The interface between the worker and the client of the push services. */
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
 * `gone`: the browser no longer has this subscription. `refused`: the same notification would be refused again.
 * `later`: a later try may succeed.
 */
export type PushFailure = 'gone' | 'refused' | 'later';

export class PushNotSent extends Error {
  override readonly name = 'PushNotSent';
  readonly failure: PushFailure;
  /** As requested by the push service; null if it requests nothing. */
  readonly retryAfterMs: number | null;

  /** @param reason  a code only, without addresses or the service's text, because it is stored and logged */
  constructor(reason: string, failure: PushFailure, retryAfterMs: number | null = null) {
    super(reason);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}
