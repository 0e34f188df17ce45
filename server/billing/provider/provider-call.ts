/**
 * Every call is wrapped: it waits after a rate limit, checks the response's type, and lets none of the provider's
 * messages through, because they may quote a key. See docs/decisions/030-billing.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { Logger } from '../../platform/telemetry/log.ts';

export type { Stripe } from 'stripe';

/** The facts of a failed call that may be logged: never its message, which may quote a key. */
interface ProviderFacts {
  /** `StripeCardError`, `StripeConnectionError`, ... */
  type: string;
  /** `resource_missing`, `card_declined`, ... */
  code: string | null;
  declineCode: string | null;
  statusCode: number | null;
  requestId: string | null;
}

/** Null for an error that is not the SDK's. */
function factsOf(error: unknown): ProviderFacts | null {
  if (!(error instanceof Stripe.errors.StripeError)) return null;
  const { type, code, decline_code, statusCode, requestId } = error;
  return {
    type,
    code: code ?? null,
    declineCode: decline_code ?? null,
    statusCode: statusCode ?? null,
    requestId: requestId ?? null,
  };
}

/** The cause of `billing/provider-unavailable` and `billing/provider-refused`. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly facts: ProviderFacts;

  constructor(facts: ProviderFacts) {
    super(`${facts.type} ${facts.code ?? facts.statusCode ?? ''}`.trim());
    this.facts = facts;
  }
}

interface Answer {
  object: string;
}

/** Takes the expected type of the response, then the work: `call('customer', () => stripe.customers.retrieve(id))`. */
export type ProviderCall = <T extends Answer>(object: T['object'], work: () => Promise<T>) => Promise<T>;

const TRIES_AT_LIMIT = 3;
const FIRST_WAIT_MS = 400;

/** @param deps.firstWaitMs  pause after a 429, doubled after each; default 400 ms */
export function openProviderCall(deps: { log: Logger; firstWaitMs?: number }): ProviderCall {
  return (object, work) => providerCall(deps, work, object);
}

/**
 * `work` may be repeated: it only reads, or writes with its own key. @param object absent: any provider object
 * @throws AppError `billing/provider-unavailable`, `billing/provider-refused`, with a ProviderError as cause
 */
export async function providerCall<T extends Answer>(
  { log, firstWaitMs = FIRST_WAIT_MS }: { log: Logger; firstWaitMs?: number },
  work: () => Promise<T>,
  object?: T['object'],
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await work();
      // The SDK treats any JSON without an `error` as a success, whatever its status.
      const isRight = object === undefined ? typeof answer.object === 'string' : answer.object === object;
      if (!isRight) throw strangeAnswer();
      return answer;
    } catch (error) {
      const facts = error instanceof ProviderError ? error.facts : factsOf(error);
      if (facts === null) throw error;
      if (facts.statusCode === 429 && attempt < TRIES_AT_LIMIT) {
        await sleep(firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random() / 2));
        continue;
      }
      const { type, statusCode, requestId } = facts;
      log.warn({ type, code: facts.code, statusCode, requestId }, 'the payment provider refused a call');
      const code = isTransient(facts) ? 'billing/provider-unavailable' : 'billing/provider-refused';
      throw new AppError(code, { cause: new ProviderError(facts) });
    }
  }
}

/** A retry may succeed later. 409: another call with the same key is still running. */
function isTransient({ type, statusCode }: ProviderFacts): boolean {
  if (type === 'StripeConnectionError') return true;
  return statusCode !== null && (statusCode >= 500 || statusCode === 409 || statusCode === 429);
}

function strangeAnswer(): ProviderError {
  return new ProviderError({
    type: 'StrangeAnswer',
    code: null,
    declineCode: null,
    statusCode: 502,
    requestId: null,
  });
}

/** Null for an error that did not come from the provider. */
export function providerFacts(error: unknown): ProviderFacts | null {
  return isAppError(error) && error.cause instanceof ProviderError ? error.cause.facts : null;
}

/** The object doesn't exist (any more), or belongs to another mode. */
export function isMissing(error: unknown): boolean {
  return providerFacts(error)?.code === 'resource_missing';
}

/** Null for an object that is missing at the provider. */
export async function unlessMissing<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const PAGE = 100;
/** More than any customer has: an endless list is a fault. */
const MAX_PAGES = 50;

/** Reads a whole list, which the provider returns in pages of a hundred. */
export async function allPages<T extends { id: string }>(
  call: ProviderCall,
  page: (params: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < MAX_PAGES; at += 1) {
    const last = all.at(-1);
    const params = last === undefined ? { limit: PAGE } : { limit: PAGE, starting_after: last.id };
    const { data, has_more } = await call('list', () => page(params));
    all.push(...data);
    if (!has_more || data.length === 0) return all;
  }
  throw new Error('A list from the payment provider did not end.');
}
