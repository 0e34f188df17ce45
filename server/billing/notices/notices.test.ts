import { expect, test } from 'vitest';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { ProviderError, type Stripe } from '../provider/provider-call.ts';
import type { Synced } from '../subscriptions/subscription-row.ts';
import type { LockedSubscription, SentNotice } from './notice-store.ts';
import { type NoticeDeps, openNotices } from './notices.ts';

const NOW_S = Date.parse('2026-11-20T10:00:00Z') / 1000;
const ADA = { userId: 'ada', email: 'ada@example.com', timezone: null };
const ACTIVE: LockedSubscription = {
  status: 'active',
  priceId: 'price_bobcat',
  cancelAtPeriodEnd: false,
  pendingPriceId: null,
};

interface World {
  recipient?: { userId: string; email: string | null; timezone: string | null } | null;
  /** The subscription's row as it is now; null for an unknown one. */
  now?: LockedSubscription | null;
  sent?: Partial<SentNotice>[];
  other?: 'older' | 'newer' | null;
  isPaidBack?: boolean;
  sendsMails?: boolean;
  payments?: object[] | 'away' | 'broken';
  mode?: NoticeDeps['mode'];
}

/** What was recorded and mailed: `receipt in_1` without a mail, `receipt in_1: subject` with one. */
function open(world: World = {}) {
  const { recipient = ADA, now = ACTIVE, sent = [], other = null, isPaidBack = false, payments = [] } = world;
  const recorded: string[] = [];
  const texts: string[] = [];
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const answers: [string, (params: readonly unknown[]) => object[]][] = [
    ['stripe_customers', () => (recipient === null ? [] : [recipient])],
    ['for no key update', () => (now === null ? [] : [now])],
    ['order by seq', () => sent],
    [
      'select 1 from private.billing_notices',
      ([kind, id]) => sent.filter((one) => one.kind === kind && one.subjectId === id),
    ],
    ['billing_alarms', () => (isPaidBack ? [{}] : [])],
    ['isOlder', () => (other === null ? [] : [{ isOlder: other === 'older' }])],
    [
      'billing_prices',
      () => [
        { price_id: 'price_bobcat', plan: 'bobcat' },
        { price_id: 'price_lion', plan: 'lion' },
      ],
    ],
    [
      'insert into private.billing_notices',
      ([kind, id]) => {
        if (sent.some((one) => one.kind === kind && one.subjectId === id)) return [];
        recorded.push(`${kind} ${id}`);
        return [{}];
      },
    ],
    [
      'outgoing_mail',
      ([, to, subject, text]) => {
        recorded.push(`${recorded.pop()}: ${subject}`);
        texts.push(`to ${to}: ${text}`);
        return [];
      },
    ],
  ];
  const run = async (text: string, params: readonly unknown[] = []) => {
    const found = answers.find(([part]) => text.includes(part));
    if (found === undefined) throw new Error(`an unknown statement: ${text}`);
    return found[1](params);
  };
  const list = async () => {
    if (payments === 'broken') throw new TypeError('a bug');
    const facts = { type: 'StripeConnectionError', code: null, declineCode: null, statusCode: null, requestId: null };
    if (payments === 'away') throw new ProviderError(facts);
    return { object: 'list', data: payments, has_more: false };
  };
  const deps: NoticeDeps = {
    database: {
      query: (_caller: unknown, text: string, params: readonly unknown[]) => run(text, params),
      transaction: (_caller: unknown, work: (tx: Transaction) => Promise<unknown>) =>
        work({ query: run } as Transaction),
    } as Partial<Database> as Database,
    clock: { nowMs: () => NOW_S * 1000 },
    log,
    mode: world.mode ?? 'live',
    stripe: { invoicePayments: { list } } as unknown as Stripe,
    brand: { name: 'Kat', markHtml: '', footer: [] },
    siteUrl: () => 'https://kat.example',
    sendsMails: world.sendsMails ?? true,
  };
  return { recorded, texts, lines, notices: openNotices(deps) };
}

const anInvoice = (change: object = {}) =>
  ({
    id: 'in_1',
    number: 'KAT-7',
    status: 'paid',
    customer: 'cus_1',
    currency: 'usd',
    billing_reason: 'subscription_create',
    amount_paid: 2999,
    amount_due: 2999,
    total: 2999,
    starting_balance: 0,
    ending_balance: 0,
    attempt_count: 1,
    lines: {
      data: [
        {
          description: null,
          amount: 2999,
          period: { start: NOW_S, end: NOW_S + 2_592_000 },
          pricing: { price_details: { price: 'price_bobcat' } },
        },
      ],
    },
    next_payment_attempt: null,
    status_transitions: { paid_at: NOW_S },
    parent: { subscription_details: { subscription: 'sub_1' } },
    ...change,
  }) as unknown as Stripe.Invoice;

const mails = async (world: World, use: (notices: ReturnType<typeof openNotices>) => Promise<void>) => {
  const { notices, ...seen } = open(world);
  await use(notices);
  return seen;
};
const ofInvoice = (change: object = {}, world: World = {}) => mails(world, (to) => to.ofInvoice(anInvoice(change)));

test('sends the receipt of a paid invoice, with the card that paid it', async () => {
  const paid = {
    status: 'paid',
    payment: { payment_intent: { payment_method: { card: { brand: 'visa', last4: '4242' } } } },
  };
  const { recorded, texts } = await ofInvoice({}, { payments: [{ status: 'open', payment: {} }, paid] });
  expect(recorded).toEqual(['receipt in_1: Your receipt from Kat, KAT-7']);
  expect(texts[0]).toContain('to ada@example.com: You’re now on the Bobcat plan');
  expect(texts[0]).toContain('Card: Visa ending in 4242');
});

test.each([
  ['cannot be reached', 'away'],
  ['has none paid', []],
  ['names the payment alone', [{ status: 'paid', payment: { payment_intent: 'pi_1' } }]],
  ['names the card alone', [{ status: 'paid', payment: { payment_intent: { payment_method: 'pm_1' } } }]],
  ['had another method', [{ status: 'paid', payment: { payment_intent: { payment_method: { type: 'link' } } } }]],
] as const)('sends the receipt without the card when the provider %s', async (_what, payments) => {
  const { texts } = await ofInvoice({}, { payments: payments === 'away' ? payments : [...payments] });
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toContain('Card:');
});

test('sends no receipt at all when reading the card fails by a bug', async () => {
  await expect(ofInvoice({}, { payments: 'broken' })).rejects.toThrow('a bug');
});

test.each<[string, object, World]>([
  ['of a payment of zero', { amount_paid: 0 }, {}],
  ['twice', {}, { sent: [{ kind: 'receipt', subjectId: 'in_1' }] }],
  ['without an owner', {}, { recipient: null }],
  ['of an invoice without a customer', { customer: null }, {}],
  ['of a draft', { status: 'draft' }, {}],
  ['of an upgrade that failed', { status: 'open', billing_reason: 'subscription_update' }, {}],
  ['of an invoice that was not tried', { status: 'open', attempt_count: 0 }, {}],
  ['of an open one that owes nothing', { status: 'open', amount_due: 0 }, {}],
])('mails and records nothing %s', async (_what, change, world) => {
  expect(await ofInvoice(change, world)).toMatchObject({ recorded: [], lines: [] });
});

test('reports each failed try once, and not one of a subscription that has ended', async () => {
  const open = { status: 'open', attempt_count: 2, billing_reason: 'subscription_cycle' };
  const sent = [{ kind: 'payment_failed' as const, subjectId: 'in_1/1' }];
  const { recorded } = await ofInvoice(open, { sent });
  expect(recorded).toEqual([expect.stringMatching(/^payment_failed in_1\/2: /)]);
  const ended = await ofInvoice(open, { now: { ...ACTIVE, status: 'canceled' } });
  expect(ended.recorded).toEqual(['payment_failed in_1/2']);
});

test.each<[string, World]>([
  ['the account has no address', { recipient: { ...ADA, email: null } }],
  ['no mail can be sent', { sendsMails: false }],
])('records a receipt without a mail when %s, so that it is not sent late', async (_what, world) => {
  expect((await ofInvoice({}, world)).recorded).toEqual(['receipt in_1']);
});

test('mails about an invoice without a subscription or a price of ours in general words', async () => {
  const lines = { data: [{ description: 'x', amount: 1, period: { start: 0, end: 0 }, pricing: null }] };
  const { texts } = await ofInvoice({ parent: null, lines, number: null });
  expect(texts[0]).toContain('Thank you for your payment');
});

test('logs an invoice or a refund in another currency, and mails no wrong amount', async () => {
  const invoice = await ofInvoice({ currency: 'eur' });
  expect(invoice.recorded).toEqual([]);
  expect(invoice.lines.join()).toContain('currency that we do not sell in');
  const refund = await ofRefunds([{}], { charge: { currency: 'eur' } });
  expect(refund.recorded).toEqual([]);
  expect(refund.lines.join()).toContain('currency that we do not sell in');
});

const ofRefunds = (refunds: object[], { charge = {}, ...world }: World & { charge?: object } = {}) =>
  mails(world, (to) =>
    to.ofRefunds(
      {
        id: 'ch_1',
        customer: 'cus_1',
        currency: 'usd',
        amount: 2999,
        created: NOW_S - 100,
        ...charge,
      } as Stripe.Charge,
      refunds.map((change, i) => ({
        id: `re_${i}`,
        status: 'succeeded',
        created: NOW_S,
        amount: 2999,
        ...change,
      })) as Stripe.Refund[],
    ),
  );

test('mails each refund of a charge, with the card that it goes back to', async () => {
  const charge = { payment_method_details: { card: { brand: 'visa', last4: '4242' } } };
  const { recorded, texts } = await ofRefunds([{}, { status: 'pending' }], { charge });
  expect(recorded).toEqual([expect.stringMatching(/^refund re_0: /), expect.stringMatching(/^refund re_1: /)]);
  expect(texts[0]).toContain('Visa ending in 4242');
  expect((await ofRefunds([{}])).texts[0]).not.toContain('ending in');
});

test.each<[string, object, string[]]>([
  ['failed', { status: 'failed' }, []],
  ['was canceled', { status: 'canceled' }, []],
  ['is older than a week', { created: NOW_S - 7 * 86_400 - 1 }, ['refund re_0']],
  ['the mail about the end of the plan covers', { metadata: { kat_told: 'subscription_ended' } }, ['refund re_0']],
])('mails nothing of a refund that %s', async (_what, change, recorded) => {
  expect((await ofRefunds([change])).recorded).toEqual(recorded);
});

test('mails no refund of a charge without an owner', async () => {
  expect((await ofRefunds([{}], { charge: { customer: null } })).recorded).toEqual([]);
  expect((await ofRefunds([{}], { recipient: null })).recorded).toEqual([]);
  expect((await ofRefunds([{}], { recipient: { ...ADA, email: null } })).recorded).toEqual(['refund re_0']);
});

/** A sync that wrote the row as it is now, unless it says otherwise. */
function afterSync(
  now: LockedSubscription,
  {
    invoice = null as object | string | null,
    after = {},
    reason = '',
    ...world
  }: World & { invoice?: object | string | null; after?: object; reason?: string } = {},
) {
  const synced = {
    before: null,
    after: { subscriptionId: 'sub_1', customerId: 'cus_1', currentPeriodEnd: NOW_S, ...now, ...after },
    subscription: { latest_invoice: invoice, cancellation_details: { reason } },
  } as unknown as Synced;
  return mails({ now, ...world }, (to) => to.afterSync(synced));
}
const SEEN = { kind: 'first_seen', subjectId: 'sub_1', priceId: 'price_bobcat' } as const;
const lion = { ...ACTIVE, priceId: 'price_lion' };

test('records a new subscription without a mail, because its receipt is the mail', async () => {
  const { recorded } = await afterSync(ACTIVE, { invoice: anInvoice() });
  expect(recorded).toEqual(['first_seen sub_1', 'receipt in_1: Your receipt from Kat, KAT-7']);
  expect((await afterSync(ACTIVE, { invoice: 'in_1' })).recorded).toEqual(['first_seen sub_1']);
});

test.each<[string, World & { after?: object }]>([
  ['a newer sync has written', { after: { status: 'past_due' } }],
  ['a newer sync has changed the price', { after: { priceId: 'price_lion' } }],
  ['a newer sync has cancelled', { after: { cancelAtPeriodEnd: true } }],
  ['a newer sync has planned a change', { after: { pendingPriceId: 'price_lion' } }],
  ['the row is unknown', { now: null }],
  ['the customer has no owner', { recipient: null }],
])('leaves the notice to another one when %s', async (_what, world) => {
  expect((await afterSync(ACTIVE, world)).recorded).toEqual([]);
});

test('reports a change of plan, unless the receipt of the upgrade names the new plan', async () => {
  const reported = [expect.stringMatching(/^plan_changed sub_1\/1: /)];
  expect((await afterSync(lion, { sent: [SEEN] })).recorded).toEqual(reported);
  const silent = ['plan_changed sub_1/1'];
  const price = { pricing: { price_details: { price: { id: 'price_lion' } } } };
  const lines = { data: [{ ...anInvoice().lines.data[0], ...price }] };
  const invoice = anInvoice({ billing_reason: 'subscription_update', lines });
  const receipt = 'receipt in_1: Your receipt from Kat, KAT-7';
  expect((await afterSync(lion, { sent: [SEEN], invoice })).recorded).toEqual([...silent, receipt]);
  const older = anInvoice({ billing_reason: 'subscription_update' });
  expect((await afterSync(lion, { sent: [SEEN], invoice: older })).recorded).toEqual([...reported, receipt]);
});

test('names both plans of a planned downgrade, and when it begins', async () => {
  const { texts } = await afterSync(
    { ...lion, pendingPriceId: 'price_bobcat' },
    { sent: [{ ...SEEN, priceId: 'price_lion' }] },
  );
  expect(texts[0]).toContain('You keep the Lion plan until 20 Nov 2026');
  expect(texts[0]).toContain('Then you move to the Bobcat plan at its price.');
});

const ended = { ...ACTIVE, status: 'canceled' };
test('reports the end of a subscription, but not of one that a newer one replaced', async () => {
  const reported = [expect.stringMatching(/^subscription_ended sub_1: /)];
  expect((await afterSync(ended, { sent: [SEEN] })).recorded).toEqual(reported);
  expect((await afterSync(ended, { sent: [SEEN], other: 'older' })).recorded).toEqual(reported);
  expect((await afterSync(ended, { sent: [SEEN], other: 'newer' })).recorded).toEqual(['subscription_ended sub_1']);
  expect((await afterSync(ended)).recorded).toEqual(['first_seen sub_1', 'subscription_ended sub_1']);
});

test('reports the end of a second subscription that was refunded, also before its start was seen', async () => {
  const { recorded, texts } = await afterSync(ended, { isPaidBack: true, other: 'older' });
  expect(recorded).toEqual(['first_seen sub_1', expect.stringMatching(/^subscription_ended sub_1: /)]);
  const plain = await afterSync(ended, { sent: [SEEN] });
  expect(texts[0]).not.toBe(plain.texts[0]);
  const unpaid = await afterSync(ended, { sent: [SEEN], reason: 'payment_failed' });
  expect(unpaid.texts[0]).not.toBe(plain.texts[0]);
});

test('marks mails of test payments as such', async () => {
  const [live, sandbox] = [await ofInvoice({}), await ofInvoice({}, { mode: 'sandbox' })];
  expect(sandbox.texts[0]).not.toBe(live.texts[0]);
});
