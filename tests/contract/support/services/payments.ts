/** The payment sandbox, started for a test, with the provider's SDK, its control and a site that receives its events. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { startSandboxPayments } from '../../../../sandbox/payments/sandbox-payments.ts';
import { checkedStripe } from '../../../support/payments/checked-stripe.ts';

const KEY = 'sk_test_contract';
const controlSchema = z.object({ url: z.string(), token: z.string() });

export interface StartedPayments {
  /** Another one after each restart. */
  readonly stripe: Stripe;
  secretKey: string;
  /** Of its API, on loopback. */
  readonly port: number;
  /** As a browser would, without following. @param form  to be posted */
  visit(path: string, form?: Record<string, string>): Promise<Response>;
  /** @throws Error for an invalid answer */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** What the site heard, a try at a time. */
  received: ReceivedEvent[];
  /** What the site answers next; then 200. */
  answers: number[];
  /** Where events go from now on. */
  site: { isKnown: boolean; pause: Promise<void> };
  /** Where it keeps its journal and the control's address. */
  folder: string;
  /** Ends the sandbox; `start` begins another on the same journal. */
  close(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReceivedEvent {
  type: string;
  body: string;
  header: string;
}

export const WEBHOOK_SECRET = 'whsec_contract';

/**
 * @param isChecked  every answer is compared with the SDK's types, which takes seconds to begin with
 * @param timeoutMs  of the SDK's calls; absent: its own
 */
export async function startPayments({
  isChecked = false,
  timeoutMs,
}: {
  isChecked?: boolean;
  timeoutMs?: number;
} = {}): Promise<StartedPayments> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-'));
  const received: ReceivedEvent[] = [];
  const answers: number[] = [];
  const target: StartedPayments['site'] = { isKnown: true, pause: Promise.resolve() };
  const eventSchema = z.object({ type: z.string() });
  const site = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { type } = eventSchema.parse(JSON.parse(body));
    received.push({ type, body, header: String(request.headers['stripe-signature']) });
    await target.pause;
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  const url = `http://127.0.0.1:${address.port}/hook`;
  const open = () =>
    startSandboxPayments({
      clock: { nowMs: () => Date.now() },
      journalPath: join(folder, 'payments.jsonl'),
      secretKey: KEY,
      pagesPath: '/pay',
      origin: () => 'http://127.0.0.1',
      webhooks: { target: () => (target.isKnown ? url : null), secret: WEBHOOK_SECRET },
      controlPath: join(folder, 'control.json'),
      log: (line) => expect.fail(line),
    });
  const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const clientAt = (port: number) =>
    isChecked
      ? checkedStripe(port, KEY, timeout)
      : new Stripe(KEY, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, ...timeout });
  let sandbox = await open();
  let stripe = clientAt(sandbox.port);
  return {
    get stripe() {
      return stripe;
    },
    secretKey: KEY,
    get port() {
      return sandbox.port;
    },
    received,
    answers,
    site: target,
    folder,
    close: () => sandbox.close(),
    async start() {
      sandbox = await open();
      stripe = clientAt(sandbox.port);
    },
    visit: (path, form) =>
      fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
        redirect: 'manual',
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      }),
    async control(method, path, body) {
      const { url, token } = controlSchema.parse(JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8')));
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'x-standin-token': token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`The control answered ${response.status}.`);
      return response.json();
    },
    async stop() {
      await sandbox.close();
      site.closeAllConnections();
      site.close();
      rmSync(folder, { recursive: true });
    },
  };
}
