import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { openProviderCall, ProviderError } from '../provider/provider-call.ts';
import { type EventDeps, handleEvent, readEvent, subjectOf } from './handle-event.ts';

const head = { id: 'evt_1', livemode: false, created: 1 };

test.each([
  ['fields of ours with another meaning', { object: { id: 7, parent: 'inv', customer: { deleted: true }, charge: 3 } }],
  ['a list in the place of the object', { object: [] }],
  ['no object', {}],
  ['no contents, as thin events have', undefined],
])('accepts an event of an unknown type with any content: %s', (_what, data) => {
  const event = readEvent({ ...head, type: 'something.new', data });

  expect(event).toMatchObject(head);
  expect(subjectOf(event)).toBeNull();
});

test('reads the other fields of an object with one malformed field', () => {
  const object = { id: 'in_1', object: 'invoice', parent: 'odd', customer: 'cus_1', charge: { id: 'ch_1' } };

  expect(subjectOf(readEvent({ ...head, type: 'invoice.paid', data: { object } }))).toBe('cus_1');
});

test('refuses an event without id, type or mode', () => {
  expect(() => readEvent({ type: 'invoice.paid', livemode: false, created: 1, data: { object: {} } })).toThrow();
  expect(() => readEvent({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: {} } })).toThrow();
});

test.each([
  ['the customer of an event about it', 'customer.updated', { id: 'cus_1', object: 'customer' }, 'cus_1'],
  ['the subscription of an event about it', 'customer.subscription.updated', { id: 'sub_1', customer: 'c' }, 'sub_1'],
  ['the subscription before its customer', 'checkout.session.completed', { subscription: 's', customer: 'c' }, 's'],
  ['the subscription that a schedule released', 'subscription_schedule.released', { released_subscription: 's' }, 's'],
  ['its own object where it names neither', 'charge.dispute.created', { id: 'dp_1', object: 'dispute' }, 'dp_1'],
])('finds %s', (_what, type, object, subject) => {
  expect(subjectOf(readEvent({ ...head, type, data: { object } }))).toBe(subject);
});

test('finds the customer of a removed card, whom only the former fields name', () => {
  const data = { object: { id: 'pm_1', customer: null }, previous_attributes: { customer: 'cus_1' } };
  expect(subjectOf(readEvent({ ...head, type: 'payment_method.detached', data }))).toBe('cus_1');
});

interface World {
  turn?: 'mine' | 'done' | 'busy';
  /** Failures so far, with the next one. */
  attempts?: number;
  owner?: string | null;
  fails?: unknown;
  hasNotices?: boolean;
  missing?: boolean;
  /** Prices of the subscriptions that an unknown customer has; null: the customer is deleted. */
  prices?: readonly string[] | null;
  /** The charge's customer. */
  payer?: string | null;
}

/** Handles one event. @returns its answer, and everything that it led to, in order */
async function handled(type: string, data: object, world: World = {}) {
  const { turn = 'mine', attempts = 1, owner = 'ada', fails = null, hasNotices = true, missing = false } = world;
  const { prices = [], payer = 'cus_1' } = world;
  const did: string[] = [];
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const step = (name: string) => async (of: unknown) => {
    did.push(`${name} ${of}`);
    if (fails !== null) throw fails;
    return [];
  };
  const facts = { type: 'StripeInvalidRequestError', code: 'resource_missing' };
  const missingFault = new ProviderError({ ...facts, declineCode: null, statusCode: 404, requestId: null });
  const read = (object: string) => async (id: string) => {
    did.push(`read ${id}`);
    if (missing) throw missingFault;
    return { object, id };
  };
  const deps = {
    events: {
      take: async () => turn,
      done: async (id: string) => void did.push(`done ${id}`),
      async failed(_id: string, code: string) {
        did.push(`failed ${code}`);
        return attempts;
      },
    },
    alarms: {
      raise: async (kind: string, id: string, details: object) =>
        void did.push(`${kind} ${id} ${JSON.stringify(details)}`),
    },
    sync: { one: step('one'), ofCustomer: step('customer') },
    subscriptions: { planOf: async (id: string) => (id === 'price_lion' ? 'lion' : null) },
    cards: { customerOf: async (id: string) => (id === 'pm_known' ? 'cus_card' : null) },
    customers: {
      ownerOf: async () => owner,
      adopt: async (user: string, customer: string) => void did.push(`adopt ${customer} by ${user}`),
      renew: async (user: string) => void did.push(`renew ${user}`),
    },
    notices: hasNotices
      ? {
          ofInvoice: async ({ id }: { id: string }) => void did.push(`mail ${id}`),
          ofRefunds: async ({ id }: { id: string }, all: unknown[]) =>
            void did.push(`mail ${id}, ${all.length} refunds`),
        }
      : null,
    stripe: {
      invoices: { retrieve: read('invoice') },
      charges: { retrieve: async (id: string) => ({ ...(await read('charge')(id)), customer: payer }) },
      subscriptions: {
        list: async () => {
          if (prices === null) throw missingFault;
          const data = prices.map((id) => ({ items: { data: [{ price: { id } }] } }));
          return { object: 'list', data, has_more: false };
        },
      },
      refunds: { list: async () => ({ object: 'list', data: [{ id: 're_1' }], has_more: false }) },
    },
    database: {
      query: async (_caller: unknown, _text: string, params: readonly unknown[]) => {
        did.push(`close ${params.join(' ')}`);
        return [];
      },
    } as Partial<Database> as Database,
    clock: { nowMs: () => 0 },
    call: openProviderCall({ log }),
    log,
  } as unknown as EventDeps;
  return { isDone: await handleEvent(readEvent({ ...head, type, data }), deps), did, lines };
}

test.each(['done', 'busy'] as const)('leaves an event alone that is %s already', async (turn) => {
  const data = { object: { id: 'sub_1' } };
  expect(await handled('customer.subscription.updated', data, { turn })).toMatchObject({ isDone: true, did: [] });
});

test.each<[string, string, object, string[]]>([
  ['the subscription', 'customer.subscription.updated', { id: 'sub_1' }, ['one sub_1']],
  ['all of a customer', 'customer.updated', { id: 'cus_1', object: 'customer' }, ['customer cus_1']],
  ['nothing of a customer that it does not name', 'customer.deleted', { object: 'other' }, []],
  ['nothing of an unknown type', 'something.new', { id: 'x', customer: 'cus_1' }, []],
  ['nothing of a schedule without both', 'subscription_schedule.canceled', { id: 'sub_sched_1' }, []],
  ['the customer of a card', 'payment_method.attached', { id: 'pm_1', customer: 'cus_1' }, ['customer cus_1']],
  ['the former customer of a removed card', 'payment_method.detached', { id: 'pm_known' }, ['customer cus_card']],
  ['no customer for a removed card that was never known', 'payment_method.detached', { id: 'pm_new' }, []],
  [
    'a deleted customer, and renews its claim',
    'customer.deleted',
    { id: 'cus_1', object: 'customer' },
    ['customer cus_1', 'renew ada'],
  ],
  [
    'a session that expired',
    'checkout.session.expired',
    { id: 'cs_1' },
    ['close cs_1 expired 1970-01-01T00:00:00.000Z'],
  ],
  [
    'a late payment, whose session stays',
    'checkout.session.async_payment_succeeded',
    { id: 'cs_1', subscription: 'sub_1' },
    ['one sub_1'],
  ],
  [
    'an invoice, and mails about it',
    'invoice.paid',
    { id: 'in_1', subscription: 'sub_1' },
    ['one sub_1', 'read in_1', 'mail in_1'],
  ],
  ['no subscription for a single invoice', 'invoice.paid', { id: 'in_1' }, ['read in_1', 'mail in_1']],
  ['nothing of an invoice without an id', 'invoice.paid', {}, []],
  [
    'a dispute, for a person to decide',
    'charge.dispute.created',
    { id: 'dp_1', charge: { id: 'ch_1' } },
    ['read ch_1', 'dispute dp_1 {"charge":"ch_1"}'],
  ],
])('reads or changes %s', async (_what, type, object, steps) => {
  const { isDone, did } = await handled(type, { object });
  expect([isDone, did]).toEqual([true, [...steps, 'done evt_1']]);
});

test('raises an alarm about a refund, and mails its owner', async () => {
  const object = { id: 'ch_1', customer: 'cus_1', amount_refunded: 2999 };
  const alarm = 'refund ch_1 {"customerId":"cus_1","amountRefunded":2999}';
  expect((await handled('charge.refunded', { object })).did).toEqual([
    ...[alarm, 'read ch_1', 'mail ch_1, 1 refunds', 'done evt_1'],
  ]);
  expect((await handled('charge.refunded', { object }, { hasNotices: false })).did).toEqual([alarm, 'done evt_1']);
  const unnamed = await handled('charge.refunded', { object: {} });
  expect(unnamed.did).toEqual(['refund evt_1 {"customerId":null,"amountRefunded":null}', 'done evt_1']);
});

test.each<[string, World, boolean]>([
  ['of an account here', {}, true],
  ['who once had one of our plans', { owner: null, prices: ['price_x', 'price_lion'] }, true],
  ['who is deleted', { owner: null, prices: null }, true],
  ['whose charge was deleted', { owner: null, missing: true }, true],
  ['of another product', { owner: null, prices: ['price_x'] }, false],
  ['without any subscription', { owner: null }, false],
])('raises alarms about charges of a customer %s', async (_what, world, isOurs) => {
  const dispute = { object: { id: 'dp_1', charge: 'ch_1' } };
  const refund = { object: { id: 'ch_1', customer: world.missing === true ? null : 'cus_1', amount_refunded: 1 } };
  for (const [type, data] of [
    ['charge.dispute.created', dispute],
    ['charge.refunded', refund],
  ] as const) {
    const { isDone, did } = await handled(type, data, { ...world, hasNotices: false });
    const alarms = did.filter((one) => /^(?:dispute|refund) /.test(one));
    expect([type, isDone, alarms.length, did.at(-1)]).toEqual([type, true, isOurs ? 1 : 0, 'done evt_1']);
  }
});

test('ignores a payment without a customer, which is never ours', async () => {
  const data = { object: { id: 'dp_1', charge: 'ch_1' } };
  expect((await handled('charge.dispute.created', data, { payer: null })).did).toEqual(['read ch_1', 'done evt_1']);
});

test('mails nothing about an invoice or a charge that the provider no longer has', async () => {
  const [invoice, charge] = [{ object: { id: 'in_1' } }, { object: { id: 'ch_1', customer: 'cus_1' } }];
  expect((await handled('invoice.paid', invoice, { missing: true })).did).toEqual(['read in_1', 'done evt_1']);
  const { did } = await handled('charge.refunded', charge, { missing: true });
  expect(did.slice(1)).toEqual(['read ch_1', 'done evt_1']);
});

test('gives an unknown customer to the user who bought, and leaves a known one with its owner', async () => {
  const object = { id: 'cs_1', subscription: 'sub_1', customer: 'cus_1', client_reference_id: 'ada' };
  const closed = 'close cs_1 complete 1970-01-01T00:00:00.000Z';
  const did = async (owner: string | null, change = {}) =>
    (await handled('checkout.session.completed', { object: { ...object, ...change } }, { owner })).did;
  expect(await did(null)).toEqual([closed, 'adopt cus_1 by ada', 'one sub_1', 'done evt_1']);
  expect(await did('bob')).toEqual([closed, 'one sub_1', 'done evt_1']);
  expect(await did(null, { client_reference_id: null })).toEqual([closed, 'one sub_1', 'done evt_1']);
  expect(await did(null, { subscription: null })).toEqual([closed, 'done evt_1']);
});

test('does not renew the claim of a deleted customer without an owner', async () => {
  const { did } = await handled('customer.deleted', { object: { id: 'cus_1', object: 'customer' } }, { owner: null });
  expect(did).toEqual(['customer cus_1', 'done evt_1']);
});

const facts = { type: 'StripeAPIError', declineCode: null, statusCode: 500, requestId: null };
const refusal = (code: string | null) =>
  new AppError('billing/provider-unavailable', { cause: new ProviderError({ ...facts, code }) });

test.each([
  ['the provider’s code', refusal('api_busy'), 'api_busy'],
  ['the kind of its failure without one', refusal(null), 'StripeAPIError'],
  ['our own code', new AppError('database/busy'), 'database/busy'],
  ['the name of a bug', new TypeError('sk_live_secret'), 'TypeError'],
  ['nothing of what is no error', 'sk_live_secret', 'unknown'],
])('has a failed event sent again, and stores %s', async (_what, fails, code) => {
  const { isDone, did } = await handled('customer.subscription.updated', { object: { id: 'sub_1' } }, { fails });
  expect([isDone, did]).toEqual([false, ['one sub_1', `failed ${code}`]]);
});

test('logs the text of a bug alone, and raises an alarm at the fifth failure', async () => {
  const data = { object: { id: 'sub_1' } };
  const known = await handled('customer.subscription.updated', data, { fails: refusal('api_busy'), attempts: 4 });
  expect(known.lines).toHaveLength(1);
  expect(known.did).toHaveLength(2);
  const bug = await handled('customer.subscription.updated', data, { fails: new TypeError('x is null'), attempts: 5 });
  expect(bug.lines.join()).toContain('x is null');
  const alarm = { type: 'customer.subscription.updated', attempts: 5, code: 'TypeError' };
  expect(bug.did.at(-1)).toBe(`event-stuck evt_1 ${JSON.stringify(alarm)}`);
});
