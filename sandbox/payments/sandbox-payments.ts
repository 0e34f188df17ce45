/** The payments sandbox: simulates the card payment provider's API on loopback, with its state in one file. */

import { randomBytes, randomInt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { DEFAULT_PRICE_IDS, PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import type { Clock } from '#domain/time/clock.ts';
import { isToLoopback } from '../loopback-host.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { paymentsApi } from './api/api.ts';
import { controlRoutes, holdsControl } from './control/control.ts';
import { type FailingCalls, markReplayed, type SeenCall, withFaults } from './control/fault-injection.ts';
import { openFaults } from './control/faults.ts';
import { type Hand, openPaymentEngine } from './engine/payment-engine.ts';
import { openJournal } from './journal.ts';
import { createStateStore } from './model/state-store.ts';
import { paymentPages } from './pages/pages.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

export interface SandboxPaymentsOptions {
  clock: Clock;
  journalPath: string;
  secretKey: string;
  /** Path of the hosted pages, here and in browsers: `/pay`. */
  pagesPath: string;
  /** The site's origin, through which browsers reach the pages; read each time, as it may be unknown at first. */
  origin(): string;
  /** Ids of the prices; default: those of the seed. */
  priceIds?: { bobcat: string; lion: string };
  webhooks: {
    /** Target of the events; null: not known yet. */
    target(): string | null;
    secret: string;
  };
  /** File for the control routes' address and token, readable only by the machine's owner. */
  controlPath: string;
  port?: number;
  log(line: string): void;
}

export interface SandboxPayments {
  /** For the provider's SDK, with `host: '127.0.0.1'` and `protocol: 'http'`. */
  port: number;
  close(): Promise<void>;
}

/** Often enough for a user who watches a page. */
const TICK_MS = 1000;

/** @throws Error when the journal is damaged or the port is not free */
export async function startSandboxPayments(options: SandboxPaymentsOptions): Promise<SandboxPayments> {
  const { clock, controlPath, journalPath, pagesPath, secretKey, log } = options;
  const nowS = () => Math.floor(clock.nowMs() / 1000);
  const store = createStateStore();
  const { append } = openJournal(journalPath, store, { nowS: nowS() });
  const engine = openPaymentEngine({
    store,
    nowS,
    newId: randomId,
    append,
    pagesUrl: () => `${options.origin()}${pagesPath}`,
  });
  engine.perform(seedCatalogue(options.priceIds));

  const webhooks = openWebhooks({ engine, nowS, log, ...options.webhooks });
  const faults = openFaults();
  const seen: SeenCall[] = [];
  const failing: FailingCalls = new WeakSet();
  const token = randomBytes(24).toString('base64url');
  const control = getRequestListener(controlRoutes({ engine, webhooks, faults, seen, token }).fetch);
  const plainApi = getRequestListener(
    paymentsApi({
      engine,
      secretKey,
      log,
      onReplay: (key) => markReplayed(seen, key),
      isFailing: (request) => failing.has(request),
    }).fetch,
  );
  const api = withFaults(plainApi, { faults, seen, failing, isSpared: (request) => holdsControl(request, token) });
  const pages = getRequestListener(paymentPages({ engine, mount: pagesPath }).fetch);
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const listener = url.startsWith('/v1/') ? api : url.startsWith('/_control/') ? control : pages;
    if (isToLoopback(request)) return void listener(request, response);
    response.writeHead(421, { 'content-type': 'application/json' }).end('{"error":{"type":"invalid_request_error"}}');
  });
  const port = await listenOnLoopback(server, options.port);
  const controlFacts = { url: `http://127.0.0.1:${port}/_control`, token };
  rmSync(controlPath, { force: true });
  writeFileSync(controlPath, JSON.stringify(controlFacts), { mode: 0o600 });
  const ticking = setInterval(() => {
    try {
      engine.passTime();
      store.forgetOld(nowS());
    } catch (error) {
      // The next call meets the same error and answers it; the site keeps working.
      log(`the clock could not advance: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }, TICK_MS);
  ticking.unref();

  return {
    port,
    async close() {
      clearInterval(ticking);
      webhooks.close();
      rmSync(controlPath, { force: true });
      await closeServer(server);
    },
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** In the provider's format: `cus_` and 24 letters and digits. */
export function randomId(prefix: string): string {
  return `${prefix}_${Array.from({ length: 24 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
}

type PriceIds = { bobcat: string; lion: string };

/** Adds missing products and prices. */
export function seedCatalogue(priceIds: PriceIds = DEFAULT_PRICE_IDS): (hand: Hand) => void {
  return (hand) => putIn(hand, priceIds);
}

function putIn({ draft, siteS }: Hand, priceIds: PriceIds): void {
  for (const plan of ['bobcat', 'lion'] as const) {
    const id = priceIds[plan];
    if (draft.get('prices', id) !== null) continue;
    const shared = { created: siteS, isActive: true, metadata: {} };
    const product = `prod_kat_${plan}`;
    draft.put('products', { ...shared, id: product, name: `Kat ${PLAN_LABELS[plan]}`, description: null });
    draft.put('prices', {
      ...shared,
      id,
      product,
      unitAmount: PLANS[plan].priceCents,
      currency: 'usd',
      lookupKey: `${plan}_monthly`,
      nickname: null,
    });
  }
}
