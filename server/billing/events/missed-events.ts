/**
 * Events that the provider has and this server never heard of: its webhook could not be reached, or something on the way
 * swallowed them. The provider lists a month of them; each that is new here is worked on as if it had been posted.
 */
import { allPages } from '../provider/all-pages.ts';
import type { Stripe } from '../provider/stripe-client.ts';
import { isKnownType, readEvent } from './event-work.ts';
import { handleEvent, type WebhookDeps } from './webhook.ts';

export interface MissedEvents {
  /** Looks at what was made since the last look, the oldest first. Ends early, between two events, when `signal` aborts. */
  takeUp(signal: AbortSignal): Promise<void>;
}

/** Younger ones may be on their way. */
const GRACE_S = 120;
/** Looked at twice: a list may lack what was made just before it was asked for. */
const OVERLAP_S = 300;
const DAY_S = 86_400;
/** As long as the provider keeps them. */
const KEPT_S = 30 * DAY_S;
const PAGE = 100;
/** So many seconds are read whole, however many events they have. */
const LEAST_SPAN_S = 60;
/** Of one look; what is left waits for the next. */
const MAX_LISTS = 40;

export function missedEvents(deps: WebhookDeps): MissedEvents {
  const { stripe, call, clock, events } = deps;
  /** Epoch seconds; null before the first look of this process. */
  let lookedUntilS: number | null = null;

  return {
    async takeUp(signal) {
      const untilS = Math.floor(clock.nowMs() / 1000) - GRACE_S;
      let fromS = Math.max(lookedUntilS ?? (await firstLookS(untilS)), untilS - KEPT_S);
      let spanS = untilS - fromS;
      for (let lists = 0; lists < MAX_LISTS && fromS < untilS; lists += 1) {
        const made = { gte: fromS, lt: Math.min(fromS + spanS, untilS) };
        const page = await call('list', () => stripe.events.list({ created: made, limit: PAGE }));
        if (page.has_more && spanS > LEAST_SPAN_S) {
          spanS = Math.max(LEAST_SPAN_S, Math.ceil(spanS / 2));
          continue;
        }
        const all = page.has_more
          ? await allPages(call, (params) => stripe.events.list({ created: made, ...params }))
          : page.data;
        const isDone = await takeUpAll(all, signal);
        if (!isDone) return;
        fromS = made.lt;
        lookedUntilS = fromS - OVERLAP_S;
        spanS *= 2;
      }
    },
  };

  /** A day before the newest that came: events do not come in order. The first time of all, the last day. */
  async function firstLookS(untilS: number): Promise<number> {
    return Math.min((await events.newestS()) ?? untilS, untilS) - DAY_S;
  }

  /** @returns false where it was broken off */
  async function takeUpAll(listed: readonly Stripe.Event[], signal: AbortSignal): Promise<boolean> {
    const known = listed.filter(({ type }) => isKnownType(type));
    const missed = new Set(await events.unknown(known.map(({ id }) => id)));
    for (const event of known.toReversed()) {
      if (!missed.has(event.id)) continue;
      if (signal.aborted) return false;
      await handleEvent(readEvent(event), deps);
    }
    if (missed.size > 0)
      deps.log.warn({ count: missed.size }, 'events of the payment provider had not come by themselves');
    return true;
  }
}
