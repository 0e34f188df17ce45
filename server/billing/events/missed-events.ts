/**
 * Recovers events that the provider has but this server never received, because its webhook was unreachable or
 * something on the way dropped them. The provider lists events for a month; each new one is processed as if it had been
 * posted.
 */
import { allPages, type Stripe } from '../provider/provider-call.ts';
import { type EventDeps, handleEvent, isKnownType, readEvent } from './handle-event.ts';

export interface MissedEvents {
  /** Processes events created since the last check, oldest first. Ends early, between events, when `signal` aborts. */
  takeUp(signal: AbortSignal): Promise<void>;
}

/** Newer events may still be in delivery. */
const GRACE_S = 120;
/** This last part is read again, because a list may lack events created just before the call. */
const OVERLAP_S = 300;
const DAY_S = 86_400;
/** How long the provider retains events. */
const RETENTION_S = 30 * DAY_S;
const PAGE = 100;
/** A span this short is read whole, however many events it has. */
const LEAST_SPAN_S = 60;
/** Per check; the rest waits for the next one. */
const MAX_LISTS = 40;

export function missedEvents(deps: EventDeps): MissedEvents {
  const { stripe, call, clock, events } = deps;
  /** Epoch seconds; null before the first check of this process. */
  let checkedUntilS: number | null = null;

  return {
    async takeUp(signal) {
      const untilS = Math.floor(clock.nowMs() / 1000) - GRACE_S;
      let fromS = Math.max(checkedUntilS ?? (await firstCheckS(untilS)), untilS - RETENTION_S);
      let spanS = untilS - fromS;
      for (let lists = 0; lists < MAX_LISTS && fromS < untilS; lists += 1) {
        const created = { gte: fromS, lt: Math.min(fromS + spanS, untilS) };
        const page = await call('list', () => stripe.events.list({ created, limit: PAGE }));
        if (page.has_more && spanS > LEAST_SPAN_S) {
          spanS = Math.max(LEAST_SPAN_S, Math.ceil(spanS / 2));
          continue;
        }
        const all = page.has_more
          ? await allPages(call, (params) => stripe.events.list({ created, ...params }))
          : page.data;
        const isDone = await takeUpAll(all, signal);
        if (!isDone) return;
        fromS = created.lt;
        checkedUntilS = fromS - OVERLAP_S;
        spanS *= 2;
      }
    },
  };

  /** One day before the newest received event, because events may arrive out of order. Without events: the last day. */
  async function firstCheckS(untilS: number): Promise<number> {
    return Math.min((await events.newestS()) ?? untilS, untilS) - DAY_S;
  }

  /** @returns false if interrupted */
  async function takeUpAll(listed: readonly Stripe.Event[], signal: AbortSignal): Promise<boolean> {
    const known = listed.filter(({ type }) => isKnownType(type));
    const missed = new Set(await events.unknown(known.map(({ id }) => id)));
    for (const event of known.toReversed()) {
      if (!missed.has(event.id)) continue;
      if (signal.aborted) return false;
      await handleEvent(readEvent(event), deps);
    }
    if (missed.size > 0)
      deps.log.warn({ count: missed.size }, 'fetched events that the payment provider had not delivered');
    return true;
  }
}
