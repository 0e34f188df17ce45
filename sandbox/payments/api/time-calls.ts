import * as z from 'zod/mini';
import { isEnded } from '../engine/subscription-status.ts';
import { advance } from '../engine/subscriptions/advance.ts';
import { endSubscription } from '../engine/subscriptions/cancelling.ts';
import { named, stored } from '../engine/work.ts';
import { moveClock } from '../model/clocks.ts';
import type { TestClock } from '../model/records.ts';
import { missing } from '../model/refusal.ts';
import { eventView, testClockView } from '../views/shared.ts';
import { type Call, datedPage, endpoint, text, whole } from './endpoint.ts';
import { pageOf } from './lists.ts';

const CLOCKS = '/v1/test_helpers/test_clocks';

export const timeCalls = [
  endpoint('post', CLOCKS, z.strictObject({ frozen_time: whole, name: z.optional(text) }), ({ draft, siteS, params }) =>
    testClockView(
      draft.put('testClocks', {
        id: draft.newId('clock'),
        created: siteS,
        name: params.name ?? null,
        frozenTime: params.frozen_time,
        isDeleted: false,
      }),
    ),
  ),
  endpoint('get', `${CLOCKS}/:id`, z.strictObject({}), (call) => testClockView(namedClock(call))),
  endpoint('post', `${CLOCKS}/:id/advance`, z.strictObject({ frozen_time: whole }), (call) => {
    const { draft, params, workFor } = call;
    const clock = moveClock(draft, namedClock(call), params.frozen_time);
    advance(workFor(null), (customerId) => workFor(customerId).atS);
    return testClockView(clock, true);
  }),
  endpoint('delete', `${CLOCKS}/:id`, z.strictObject({}), (call) => {
    const { draft, id, workFor } = call;
    const clock = namedClock(call);
    for (const customer of draft.list('customers').filter(({ testClock }) => testClock === id)) {
      for (const sub of draft.list('subscriptions'))
        if (sub.customer === customer.id && !isEnded(sub))
          endSubscription(workFor(customer.id), sub.id, 'cancellation_requested');
      draft.put('customers', { ...stored(draft, 'customers', customer.id), isDeleted: true });
    }
    draft.put('testClocks', { ...clock, isDeleted: true });
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
  endpoint('get', '/v1/events/:id', z.strictObject({}), ({ draft, id }) =>
    eventView(named(draft, 'events', id, { what: 'event' })),
  ),
  endpoint(
    'get',
    '/v1/events',
    z.strictObject({ ...datedPage, type: z.optional(text), types: z.optional(z.array(text)) }),
    ({ draft, params: { type, types, ...rest } }) => {
      const rows = draft
        .list('events')
        .filter((event) => type === undefined || event.type === type)
        .filter((event) => types === undefined || types.includes(event.type));
      return pageOf(rows, eventView, { url: '/v1/events', ...rest });
    },
  ),
];

function namedClock({ draft, id }: Call<unknown>): TestClock {
  const clock = named(draft, 'testClocks', id, { what: 'test clock' });
  if (clock.isDeleted) throw missing('test clock', id);
  return clock;
}
