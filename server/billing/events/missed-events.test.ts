/** Checks which periods are queried and which events are processed. */
import { describe, expect, test } from 'vitest';
import type { Stripe } from '../provider/provider-call.ts';
import type { PaymentEventStore } from './event-store.ts';
import type { EventDeps } from './handle-event.ts';
import { missedEvents } from './missed-events.ts';

const NOW_S = 1_790_000_000;
const DAY_S = 86_400;
const PAGE = 100;
const never = new AbortController().signal;

interface Listed {
  id: string;
  created: number;
  type?: string;
}

interface ListParams {
  created: { gte: number; lt: number };
  limit: number;
  starting_after?: string;
}

/** A provider with these events, newest first, a hundred per page, and a server that received some of them. */
function world(
  has: Listed[],
  { received = [], newestS = null }: { received?: string[]; newestS?: number | null } = {},
) {
  const taken: string[] = [];
  const queries: ListParams[] = [];
  const known = new Set(received);
  const state = { nowS: NOW_S, isAway: false };
  const list = async (params: ListParams) => {
    if (state.isAway) throw new Error('away');
    queries.push(params);
    const all = has
      .filter(({ created }) => created >= params.created.gte && created < params.created.lt)
      .toSorted((a, b) => b.created - a.created)
      .map((event) => ({ object: 'event', livemode: false, data: {}, type: 'invoice.paid', ...event }));
    const from = params.starting_after === undefined ? 0 : all.findIndex(({ id }) => id === params.starting_after) + 1;
    return { object: 'list', data: all.slice(from, from + params.limit), has_more: all.length > from + params.limit };
  };
  const events: Pick<PaymentEventStore, 'take' | 'unknown' | 'newestS'> = {
    async take({ id }) {
      taken.push(id);
      known.add(id);
      return 'done';
    },
    unknown: async (ids) => ids.filter((id) => !known.has(id)),
    newestS: async () => newestS,
  };
  const deps = {
    stripe: { events: { list } } as unknown as Stripe,
    call: <T>(_object: string, work: () => Promise<T>) => work(),
    clock: { nowMs: () => state.nowS * 1000 },
    log: { warn: () => {} },
    events,
  } as unknown as EventDeps;
  return { missed: missedEvents(deps), taken, queries, state };
}

const event = (agoS: number, more: Partial<Listed> = {}): Listed => ({
  id: `evt_${agoS}`,
  created: NOW_S - agoS,
  ...more,
});

describe('missed events', () => {
  test('processes events that did not arrive, the oldest first', async () => {
    const { missed, taken } = world([event(300), event(900), event(600)], { received: ['evt_600'] });
    await missed.takeUp(never);
    expect(taken).toEqual(['evt_900', 'evt_300']);
  });

  test('skips events that may still arrive and types that are not handled', async () => {
    const { missed, taken } = world([event(119), event(500, { type: 'price.created' }), event(121)]);
    await missed.takeUp(never);
    expect(taken).toEqual(['evt_121']);
  });

  test('starts a day before the newest received event, and at most a month back', async () => {
    const has = [event(3 * DAY_S), event(5 * DAY_S), event(40 * DAY_S)];
    const [some, none, old] = [
      world(has, { newestS: NOW_S - 3 * DAY_S }),
      world(has),
      world(has, { newestS: NOW_S - 50 * DAY_S }),
    ];
    for (const { missed } of [some, none, old]) await missed.takeUp(never);
    expect([some.taken, none.taken, old.taken]).toEqual([
      [`evt_${3 * DAY_S}`],
      [],
      [`evt_${5 * DAY_S}`, `evt_${3 * DAY_S}`],
    ]);
  });

  test('queries once per check while it is quiet, and only since the last check', async () => {
    const { missed, queries, state } = world([event(300)]);
    await missed.takeUp(never);
    state.nowS += 60;
    await missed.takeUp(never);
    expect(queries.map(({ created }) => created.lt - created.gte)).toEqual([DAY_S, 360]);
  });

  test('processes each event once and in order, whatever their number per day or second', async () => {
    const spread = Array.from({ length: 950 }, (_, at) => event(DAY_S - at * 80));
    const burst = Array.from({ length: 3 * PAGE }, (_, at) => event(5000, { id: `evt_burst_${at}` }));
    const { missed, taken } = world([...spread, ...burst]);
    for (let round = 0; round < 5; round += 1) await missed.takeUp(never);
    expect(taken).toHaveLength(spread.length + burst.length);
    expect(new Set(taken).size).toBe(taken.length);
    const inOrder = taken.filter((id) => !id.includes('burst'));
    expect(inOrder).toEqual(spread.map(({ id }) => id));
  });

  test('waits for the next check while the provider is unavailable or the round is over', async () => {
    const { missed, taken, state } = world([event(300), event(400)]);
    state.isAway = true;
    await expect(missed.takeUp(never)).rejects.toThrow('away');
    state.isAway = false;
    await missed.takeUp(AbortSignal.abort());
    expect(taken).toEqual([]);
    state.nowS += 3600;
    await missed.takeUp(never);
    expect(taken).toEqual(['evt_400', 'evt_300']);
  });
});
