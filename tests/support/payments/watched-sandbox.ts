/** The payment sandbox for a test: the SDK checks its answers, a small server receives and checks its events. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { startSandboxPayments } from '../../../sandbox/payments/sandbox-payments.ts';
import { checkedStripe } from './checked-stripe.ts';
import { eventFaults } from './shape-faults.ts';

export const BOBCAT = 'price_kat_bobcat_monthly';
export const LION = 'price_kat_lion_monthly';
export const DAY_S = 86_400;
export const CARDS = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  failsLater: '4000000000000341',
  consentAlways: '4000002760003184',
} as const;

const KEY = 'sk_test_watched';
const controlSchema = z.object({ url: z.string(), token: z.string() });
const requestsSchema = z.object({ requests: z.array(z.object({ method: z.string(), path: z.string() })) });

export interface WatchedSandbox {
  stripe: Stripe;
  /** Visits as a browser would: the address is the site's, the port the sandbox's. */
  visit(url: string | null | undefined, form?: Record<string, string>): Promise<Response>;
  /** Pays on a hosted page, and gives the owner's consent if required. */
  pay(url: string | null | undefined, card: string): Promise<Response>;
  /** Ids of the posted events, in order. */
  received: readonly string[];
  /** What was wrong with the events. */
  faults: readonly string[];
  /** All calls so far, oldest first. */
  requests(): Promise<{ method: string; path: string }[]>;
  close(): Promise<void>;
}

/** @param log  receives internal errors of the sandbox */
export async function openWatchedSandbox(log: (line: string) => void): Promise<WatchedSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-'));
  const controlPath = join(folder, 'control.json');
  const received: string[] = [];
  const faults: string[] = [];
  const site = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const event: unknown = JSON.parse(body);
    faults.push(...eventFaults(event));
    received.push(z.object({ id: z.string() }).parse(event).id);
    response.end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  const sandbox = await startSandboxPayments({
    clock: { nowMs: () => Date.now() },
    journalPath: join(folder, 'payments.jsonl'),
    secretKey: KEY,
    pagesPath: '/pay',
    origin: () => 'http://127.0.0.1',
    webhooks: { target: () => `http://127.0.0.1:${address.port}/`, secret: 'whsec_watched' },
    controlPath,
    log,
  });

  function visit(url: string | null | undefined, form?: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(url ?? 'http://none');
    return fetch(`http://127.0.0.1:${sandbox.port}${pathname}`, {
      redirect: 'manual',
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
  }

  return {
    stripe: checkedStripe(sandbox.port, KEY),
    visit,
    async pay(url, number) {
      const page = await visit(url, { action: 'pay', number, expiry: '12 / 34', cvc: '123' });
      if (page.status !== 200) return page;
      const held = /name="held" value="([^"]+)"/.exec(await page.clone().text())?.[1];
      return held === undefined ? page : visit(url, { action: 'consent', held });
    },
    received,
    faults,
    async requests() {
      const { url, token } = controlSchema.parse(JSON.parse(readFileSync(controlPath, 'utf8')));
      const answer = await fetch(`${url}/requests`, { headers: { 'x-standin-token': token } });
      return requestsSchema.parse(await answer.json()).requests;
    },
    async close() {
      await sandbox.close();
      site.closeAllConnections();
      site.close();
      rmSync(folder, { recursive: true });
    },
  };
}
