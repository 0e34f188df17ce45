/** The payment stand-in, started for a test, with the provider's SDK, its control and a site that hears its events. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { startSandboxPayments } from '../../sandbox/payments/sandbox-payments.ts';
import { checkedStripe } from '../support/payments/checked-stripe.ts';

const KEY = 'sk_test_contract';
const controlSchema = z.object({ url: z.string(), token: z.string() });

export interface StartedPayments {
  stripe: Stripe;
  secretKey: string;
  /** Of its API, on loopback. */
  port: number;
  /** As a browser would, without following. @param form  to be posted */
  visit(path: string, form?: Record<string, string>): Promise<Response>;
  /** @throws Error for an answer that is none */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Types of the events that the site heard, a try at a time. */
  heard: string[];
  /** What the site answers next; then 200. */
  answers: number[];
  stop(): Promise<void>;
}

/** @param isChecked  every answer is held against the SDK's types, which takes seconds to begin with */
export async function startPayments(isChecked = false): Promise<StartedPayments> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-'));
  const heard: string[] = [];
  const answers: number[] = [];
  const eventSchema = z.object({ type: z.string() });
  const site = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    heard.push(eventSchema.parse(JSON.parse(body)).type);
    response.writeHead(answers.shift() ?? 200).end();
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
    webhooks: { target: () => `http://127.0.0.1:${address.port}/hook`, secret: 'whsec_contract' },
    controlPath: join(folder, 'control.json'),
    log: (line) => expect.fail(line),
  });
  const client = { host: '127.0.0.1', port: sandbox.port, protocol: 'http', maxNetworkRetries: 0 } as const;
  return {
    stripe: isChecked ? checkedStripe(sandbox.port, KEY) : new Stripe(KEY, client),
    secretKey: KEY,
    port: sandbox.port,
    heard,
    answers,
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
