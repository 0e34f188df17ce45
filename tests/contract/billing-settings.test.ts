/** Which payments a server has by its settings, and what it says of them. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openPayments } from '../../scripts/start/payments-source.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { type Database, SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_Qz8vN2kLr5Ty7Wb3Xc9D',
  STRIPE_WEBHOOK_SECRET: 'whsec_Qz8vN2kLr5Ty7Wb3Xc9D',
  STRIPE_PRICES: 'bobcat=price_of_bobcat,lion=price_of_lion',
};
const configSchema = z.object({ payments: z.string(), paymentScript: z.nullable(z.string()) });

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(dayDatabase);
});
afterAll(() => database?.close());

async function withServer<T>(env: Record<string, string>, check: (url: string) => Promise<T>): Promise<T> {
  // No provider is reached.
  const server = await startWholeServer(database, { env, addresses: { stripeUrl: 'http://127.0.0.1:1' } });
  try {
    return await check(server.url);
  } finally {
    await server.close();
  }
}

const configOf = async (url: string) => configSchema.parse(await (await fetch(`${url}/config.json`)).json());

test('takes payments by the sandbox without keys, on a page that says that no money moves', async () => {
  await withServer({}, async (url) => {
    expect(await configOf(url)).toEqual({ payments: 'sandbox', paymentScript: '/payment-script.js' });
    const page = await fetch(`${url}/test-payments/checkout/cs_test_none`);
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Test payments - no real money')]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const large = await fetch(`${url}/test-payments/checkout/x`, { method: 'POST', body: 'x'.repeat(9000) });
    expect(large.status).toBe(413);
    expect((await fetch(`${url}/test-payments/checkout/x`, { method: 'PUT' })).status).toBe(405);
  });
});

test('takes payments by the provider with keys: no sandbox, its own script, and only the prices of the settings', async () => {
  await withServer(KEYS, async (url) => {
    expect(await configOf(url)).toEqual({
      payments: 'test',
      paymentScript: expect.stringMatching(/^https:\/\/js\.stripe\.com\/[a-z]+\/stripe\.js$/),
    });
    expect((await fetch(`${url}/test-payments/checkout/x`)).status).toBe(404);
    expect((await fetch(`${url}/billing/webhook`, { method: 'POST' })).status).toBe(400);
    const prices = await database.query(
      SERVICE,
      "select price_id, plan from public.billing_prices where active and mode = 'test' order by 1",
    );
    expect(prices).toEqual([
      { price_id: 'price_of_bobcat', plan: 'bobcat' },
      { price_id: 'price_of_lion', plan: 'lion' },
    ]);
  });
});

test('sells no price that left the settings, and keeps its plan', async () => {
  const later = { ...KEYS, STRIPE_PRICES: 'bobcat=price_of_bobcat,lion=price_of_lion_2' };
  await withServer(KEYS, async () => undefined);
  await withServer(later, async () => {
    const prices = await database.query(
      SERVICE,
      "select price_id, plan, active from public.billing_prices where mode = 'test' and plan = 'lion' order by 1",
    );
    expect(prices).toEqual([
      { price_id: 'price_of_lion', plan: 'lion', active: false },
      { price_id: 'price_of_lion_2', plan: 'lion', active: true },
    ]);
  });
});

test('answers every function of billing with payments that are not set up, once switched off', async () => {
  await withServer({ PAYMENTS: 'off' }, async (url) => {
    expect(await configOf(url)).toEqual({ payments: 'none', paymentScript: null });
    const anonKey = z.object({ supabaseAnonKey: z.string() }).parse(await (await fetch(`${url}/config.json`)).json());
    const signUp = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey: anonKey.supabaseAnonKey },
      body: JSON.stringify({ email: 'off@example.com', password: 'Password1' }),
    });
    const { access_token } = z.object({ access_token: z.string() }).parse(await signUp.json());
    for (const name of ['stripe-bootstrap', 'stripe-checkout', 'checkout-confirm', 'billing-portal']) {
      const answer = await fetch(`${url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'billing/not-set-up' }),
      ]);
    }
    expect((await fetch(`${url}/billing/webhook`, { method: 'POST' })).status).toBe(404);
  });
});

test.each<[string, Record<string, string>, string | null, RegExp]>([
  ['this machine alone', {}, 'sandbox', /^sandbox \(no real money\)$/],
  ['others than this machine', { HOST: '0.0.0.0' }, null, /^off \(other machines can reach/],
  ['others, with keys', { HOST: '0.0.0.0', ...KEYS }, 'test', /test mode/],
  ['real money', { ...KEYS, STRIPE_SECRET_KEY: 'sk_live_abc', PUBLIC_URL: 'https://kat.example' }, 'live', /^live$/],
  ['keys and the word that nothing is sold', { ...KEYS, PAYMENTS: 'off' }, null, /^off \(PAYMENTS=off\)$/],
  ['keys and a setting for play money', { ...KEYS, PAYMENTS: 'sandbox' }, 'sandbox', /^sandbox/],
])('starts in the right mode for %s', async (_what, env, mode, line) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-payments-'));
  const clock = { nowMs: Date.now };
  const config = readConfig({ ...env, DATA_DIR: dataDir });

  const payments = await openPayments(config, { clock, address: () => null, log: () => undefined });

  expect([payments.source?.mode ?? null, payments.line]).toEqual([mode, expect.stringMatching(line)]);
  await payments.close();
  rmSync(dataDir, { recursive: true });
});

test("draws the sandbox's secrets once for a data folder, and only its owner reads them", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-payments-'));
  const deps = { clock: { nowMs: Date.now }, address: () => null, log: () => undefined };
  const config = readConfig({ DATA_DIR: dataDir });
  const first = await openPayments(config, deps);
  const path = join(dataDir, 'payments-keys.json');
  const text = readFileSync(path, 'utf8');
  await first.close();
  const second = await openPayments(config, deps);
  await second.close();

  expect(second.source?.secretKey).toBe(first.source?.secretKey);
  expect(text).toContain(first.source?.webhookSecrets[0]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(dataDir, { recursive: true });
});
