import Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { BillingDeps } from '../billing-function.ts';
import { openProviderCall } from '../provider/provider-call.ts';
import type { Synced } from '../subscriptions/subscription-row.ts';
import { openInvoiceOf, openInvoiceUrl, quoteUpgrade, unpaidPriceOf, upgradeSubscription } from './upgrade.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:30Z');
const log = createLogger('silent');
const PAGE = 'https://pay.example/invoice';

interface State {
  priceId?: string;
  /** Of a change that waits for its payment. */
  unpaid?: string;
  invoice?: object | string | null;
  items?: object[];
}

/** A subscription with only the fields that an upgrade reads. */
function aSubscription({ priceId = 'price_bobcat', unpaid, invoice = null, ...state }: State = {}): Synced {
  const items = state.items ?? [{ id: 'si_1', current_period_start: 100, current_period_end: 200 }];
  const pending = unpaid === undefined ? null : { subscription_items: [{ price: { id: unpaid } }] };
  return {
    before: null,
    after: { subscriptionId: 'sub_1', customerId: 'cus_1', priceId },
    subscription: {
      id: 'sub_1',
      schedule: null,
      items: { data: items },
      latest_invoice: invoice,
      pending_update: pending,
    },
  } as unknown as Synced;
}

interface World {
  preview?: object;
  /** The stored quote's moment, if one is stored. */
  quotedAt?: number | null;
  /** States of the subscription, as each read finds it. */
  states?: Synced[];
  openInvoices?: object[];
  fails?: number;
}

function open({ preview = {}, quotedAt = null, states = [], openInvoices = [], fails = 0 }: World = {}) {
  const ran: { text: string; params: readonly unknown[] }[] = [];
  const updates: { params: Record<string, unknown>; key: string }[] = [];
  const query = async (_caller: unknown, text: string, params: readonly unknown[]) => {
    ran.push({ text: text.trim().split(' ')[0] ?? '', params });
    const quote = { subscriptionId: 'sub_1', priceId: 'price_lion', prorationDate: quotedAt, amountDueCents: 4000 };
    return text.startsWith('select') && quotedAt !== null ? [quote] : [];
  };
  const stripe = {
    invoices: {
      createPreview: async () => ({ object: 'invoice', currency: 'usd', amount_due: 4000, ...preview }),
      list: async () => ({ object: 'list', data: openInvoices, has_more: false }),
    },
    subscriptions: {
      async update(_id: string, params: Record<string, unknown>, { idempotencyKey }: { idempotencyKey: string }) {
        updates.push({ params, key: idempotencyKey });
        if (updates.length <= fails) throw new Stripe.errors.StripeAPIError({ message: 'x', statusCode: 500 } as never);
        return { object: 'subscription' };
      },
    },
  };
  const deps = {
    database: { query } as Partial<Database> as Database,
    clock: { nowMs: () => NOW_MS },
    log,
    stripe,
    call: openProviderCall({ log }),
    sync: { one: async () => states.shift() ?? null },
  } as unknown as BillingDeps;
  return { ran, updates, deps };
}

test('quotes what the provider charges now, and stores it for ten minutes', async () => {
  const { ran, deps } = open({ preview: { parent: { subscription_details: { subscription_proration_date: 150 } } } });
  const quote = { subscriptionId: 'sub_1', priceId: 'price_lion', prorationDate: 150, amountDueCents: 4000 };
  expect(await quoteUpgrade(deps, aSubscription(), 'price_lion')).toEqual(quote);
  expect(ran).toEqual([{ text: 'insert', params: ['sub_1', 'price_lion', 150, 4000, '2026-11-20T10:10:30.000Z'] }]);
});

test.each([
  ['subscription_item_details', 160],
  ['invoice_item_details', 160],
])('finds the moment of a quote in the prorated line of an older interface: %s', async (details, start) => {
  const lines = [
    { parent: null, period: { start: 1 } },
    { parent: { [details]: { proration: false } }, period: { start: 2 } },
    { parent: { [details]: { proration: true } }, period: { start } },
  ];
  const { deps } = open({ preview: { parent: null, lines: { data: lines } } });
  expect((await quoteUpgrade(deps, aSubscription(), 'price_lion')).prorationDate).toBe(start);
});

test.each([
  ['another currency', { currency: 'eur', parent: { subscription_details: { subscription_proration_date: 150 } } }],
  ['nothing prorated', { parent: null, lines: { data: [] } }],
])('refuses a preview with %s, and stores no quote', async (_what, preview) => {
  const { ran, deps } = open({ preview });
  await expect(quoteUpgrade(deps, aSubscription(), 'price_lion')).rejects.toMatchObject({
    code: 'billing/provider-refused',
  });
  expect(ran).toEqual([]);
});

test('charges exactly what was quoted, and forgets the quote once the plan has changed', async () => {
  const { ran, updates, deps } = open({ quotedAt: 150, states: [aSubscription({ priceId: 'price_lion' })] });
  expect(await upgradeSubscription(deps, aSubscription({ invoice: 'in_1' }), 'price_lion')).toBeNull();
  expect(updates).toEqual([
    {
      params: {
        items: [{ id: 'si_1', price: 'price_lion' }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
        proration_date: 150,
      },
      key: `upgrade_sub_1_price_lion_150_in_1_${Math.floor(NOW_MS / 60_000)}_0`,
    },
  ]);
  expect(ran.map(({ text }) => text)).toEqual(['select', 'delete']);
});

test.each([
  ['no quote', null],
  ['a quote of the period before', 99],
  ['a quote of the period after', 201],
])('charges from now on with %s', async (_what, quotedAt) => {
  const { updates, deps } = open({ quotedAt, states: [aSubscription({ priceId: 'price_lion' })] });
  await upgradeSubscription(deps, aSubscription(), 'price_lion');
  expect(updates[0]?.params).not.toHaveProperty('proration_date');
  expect(updates[0]?.key).toContain('_now_none_');
});

test("repeats the provider's own failure once, under another key", async () => {
  const states = [aSubscription(), aSubscription({ priceId: 'price_lion' })];
  const { updates, deps } = open({ fails: 1, states });
  await upgradeSubscription(deps, aSubscription(), 'price_lion');
  expect(updates.map(({ key }) => key.at(-1))).toEqual(['0', '1']);
});

test('returns the page of an upgrade that waits for its payment, and keeps the quote', async () => {
  const invoice = { object: 'invoice', status: 'open', hosted_invoice_url: PAGE };
  const { ran, deps } = open({ states: [aSubscription({ unpaid: 'price_lion', invoice })] });
  expect(await upgradeSubscription(deps, aSubscription(), 'price_lion')).toBe(PAGE);
  expect(ran.map(({ text }) => text)).toEqual(['select']);
});

test('changes nothing of a subscription without an item', async () => {
  const { updates, deps } = open();
  await expect(upgradeSubscription(deps, aSubscription({ items: [] }), 'price_lion')).rejects.toThrow(
    'A subscription without an item has no price to change.',
  );
  expect(updates).toEqual([]);
});

test('names the price that waits for its payment', () => {
  expect(unpaidPriceOf(aSubscription({ unpaid: 'price_lion' }))).toBe('price_lion');
  expect(unpaidPriceOf(aSubscription())).toBeNull();
  expect(
    unpaidPriceOf({ subscription: { pending_update: { subscription_items: null } } } as unknown as Synced),
  ).toBeNull();
});

test.each([
  ['an unread one', 'in_1'],
  ['a paid one', { status: 'paid' }],
  ['none', null],
])('looks for the open invoice where the latest is %s', async (_what, invoice) => {
  const listed = { id: 'in_2', status: 'open', hosted_invoice_url: PAGE };
  const { deps } = open({ openInvoices: [listed] });
  expect(await openInvoiceOf(deps, aSubscription({ invoice }))).toEqual(listed);
  expect(await openInvoiceUrl(deps, aSubscription({ invoice }))).toBe(PAGE);
});

test.each([
  ['no invoice is open', []],
  ['the open one has no page', [{ id: 'in_2', status: 'open' }]],
])('refuses to send the owner to a page when %s', async (_what, openInvoices) => {
  await expect(openInvoiceUrl(open({ openInvoices }).deps, aSubscription())).rejects.toMatchObject({
    code: 'billing/provider-refused',
  });
});
