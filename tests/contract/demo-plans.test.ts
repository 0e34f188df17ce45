/** The demo accounts buy their plans like any user, once, and with the provider's own test card in its test mode. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { startSandboxPayments } from '../../sandbox/payments/sandbox-payments.ts';
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts';
import { subscribeDemoAccounts } from '../../scripts/demo/subscribe.ts';
import { type Database, SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';
import { siteMailTo } from '../support/wire/mailbox.ts';
import { openBillingWorld, PRICES } from '../support/worlds/billing-world.ts';

const SOURCE = { mode: 'sandbox', secretKey: 'unused', webhookSecrets: [], api: null, pagesUrl: null } as const;
const PAYING = ['bobcat@example.com', 'lion@example.com'] as const;

async function signUpAll(url: string): Promise<void> {
  const settings = z.object({ supabaseAnonKey: z.string() });
  const { supabaseAnonKey: apikey } = settings.parse(await (await fetch(`${url}/config.json`)).json());
  for (const email of PAYING) {
    const answer = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey },
      body: JSON.stringify({ email, password: DEMO_PASSWORD }),
    });
    expect(answer.status).toBe(200);
  }
}

/** Email, price and status of each account's row. */
function plansIn(database: Database) {
  return database.query(
    SERVICE,
    `select p.email, s.price_id, s.status from public.profiles p
       join public.stripe_user_subscriptions s on s.user_id = p.id order by p.email`,
  );
}

const BOUGHT = [
  { email: 'bobcat@example.com', price_id: PRICES.bobcat, status: 'active' },
  { email: 'lion@example.com', price_id: PRICES.lion, status: 'active' },
];

/** Each test has its own world: the demo accounts have fixed addresses, and the tests count all subscriptions. */
async function openShop() {
  const world = await openBillingWorld(dayDatabase);
  onTestFinished(() => world.close());
  await signUpAll(world.url);
  return { world, shop: { url: world.url, source: SOURCE, priceIds: PRICES } };
}

/** As `openShop`, after the accounts have bought their plans. */
async function openShopWithPlans() {
  const opened = await openShop();
  expect(await subscribeDemoAccounts(opened.shop)).toEqual([]);
  await opened.world.settled();
  return opened;
}

test("buys each paid account's plan on the hosted page and sends its receipt", async () => {
  const { world, shop } = await openShop();

  expect(await subscribeDemoAccounts(shop)).toEqual([]);

  expect(await plansIn(world.database)).toEqual(BOUGHT);
  const receipt = await siteMailTo(world.url, 'lion@example.com', /receipt/);
  expect(receipt.text).toContain('We received $69.99.');
  expect((await world.stripe.subscriptions.list()).data).toHaveLength(2);
});

test("buys nothing for an account with a plan, even one set to cancel at the period's end", async () => {
  const { world, shop } = await openShopWithPlans();
  const { data } = await world.stripe.subscriptions.list();
  for (const { id } of data) await world.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await world.settled();

  expect(await subscribeDemoAccounts(shop)).toEqual([]);

  expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(2);
});

test('buys the plan again for an account whose plan has ended', async () => {
  const { world, shop } = await openShopWithPlans();
  const { data } = await world.stripe.subscriptions.list({ price: PRICES.lion });
  for (const { id } of data) await world.stripe.subscriptions.cancel(id);
  await world.settled();

  expect(await subscribeDemoAccounts(shop)).toEqual([]);

  expect(await plansIn(world.database)).toEqual(BOUGHT);
  expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(3);
});

test("reports each account's failure in one sentence without stopping the other accounts", async () => {
  const { world, shop } = await openShop();
  await world.database.query(
    { role: 'owner', claims: null },
    `update auth.users set encrypted_password = 'x' where email = 'bobcat@example.com'`,
  );

  expect(await subscribeDemoAccounts(shop)).toEqual([
    'bobcat@example.com has no plan: sign-in (password or second factor were changed) was refused (400)',
  ]);
  expect(await plansIn(world.database)).toEqual(BOUGHT.filter(({ email }) => email === 'lion@example.com'));
  expect(await subscribeDemoAccounts({ ...shop, source: null })).toEqual([
    'bobcat@example.com has no plan: nothing can be bought here',
    'lion@example.com has no plan: nothing can be bought here',
  ]);
});

test("pays with the provider's test card in its test mode, once per account", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-plans-'));
  const priceIds = { bobcat: 'price_test_bobcat', lion: 'price_test_lion' };
  const secretKey = 'sk_test_demoplans';
  const provider = await startSandboxPayments({
    clock: { nowMs: () => Date.now() },
    journalPath: join(folder, 'payments.jsonl'),
    controlPath: join(folder, 'control.json'),
    secretKey,
    pagesPath: '/pages',
    origin: () => 'https://checkout.example',
    priceIds,
    webhooks: { target: () => null, secret: 'whsec_none' },
    log: () => undefined,
  });
  const database = await openTestDatabase(dayDatabase);
  const api = { protocol: 'http', host: '127.0.0.1', port: provider.port } as const;
  const server = await startWholeServer(database, {
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: 'whsec_none',
      STRIPE_PRICES: `bobcat=${priceIds.bobcat},lion=${priceIds.lion}`,
    },
    addresses: { stripeUrl: `http://127.0.0.1:${provider.port}` },
  });
  try {
    await signUpAll(server.url);
    const source = { mode: 'test', secretKey, webhookSecrets: ['whsec_none'], api, pagesUrl: null } as const;

    for (const _time of ['first', 'second'])
      expect(await subscribeDemoAccounts({ url: server.url, source, priceIds })).toEqual([]);

    expect(await plansIn(database)).toEqual([
      { email: 'bobcat@example.com', price_id: 'price_test_bobcat', status: 'active' },
      { email: 'lion@example.com', price_id: 'price_test_lion', status: 'active' },
    ]);
    const count = 'select count(*)::int as count from public.stripe_subscriptions';
    expect(await database.query(SERVICE, count)).toEqual([{ count: 2 }]);
  } finally {
    await server.close();
    await database.close();
    await provider.close();
    await rm(folder, { recursive: true });
  }
});
