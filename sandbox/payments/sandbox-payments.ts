/** The stand-in for the card payment provider: its API on loopback, its books in one file. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '#domain/time/clock.ts';
import { isToLoopback } from '../loopback-host.ts';
import { paymentsApi } from './api/api.ts';
import { openDesk } from './engine/desk.ts';
import { randomId } from './ids.ts';
import { openJournal } from './journal.ts';
import { keptBooks } from './model/books.ts';
import { paymentPages } from './pages/pages.ts';
import { seedCatalogue } from './seed-catalogue.ts';

export interface SandboxPaymentsOptions {
  clock: Clock;
  /** Where the books are kept. */
  journalPath: string;
  secretKey: string;
  /** Under which browsers reach the hosted pages, without a slash at the end. */
  pagesUrl: string;
  log(line: string): void;
}

export interface SandboxPayments {
  /** For the provider's SDK, with `host: '127.0.0.1'` and `protocol: 'http'`. */
  port: number;
  close(): Promise<void>;
}

/** Often enough for whoever watches a page. */
const TICK_MS = 1000;

/** @throws Error when the journal is damaged or no port is free */
export async function startSandboxPayments(options: SandboxPaymentsOptions): Promise<SandboxPayments> {
  const { clock, journalPath, pagesUrl, secretKey, log } = options;
  const nowS = () => Math.floor(clock.nowMs() / 1000);
  const books = keptBooks();
  const { append } = openJournal(journalPath, books, nowS());
  const desk = openDesk({ books, nowS, newId: randomId, pagesUrl, append });
  desk.perform(seedCatalogue);

  const mount = new URL(pagesUrl).pathname.replace(/\/$/, '');
  const api = getRequestListener(paymentsApi({ desk, secretKey, log }).fetch);
  const pages = getRequestListener(paymentPages({ desk, mount }).fetch);
  const server = createServer((request, response) => {
    if (isToLoopback(request)) return void (request.url?.startsWith('/v1/') ? api : pages)(request, response);
    response.writeHead(421, { 'content-type': 'application/json' }).end('{"error":{"type":"invalid_request_error"}}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The payment stand-in has no port.');
  const ticking = setInterval(() => {
    try {
      desk.passTime();
    } catch (error) {
      // The next call meets the same fault and answers it; the site goes on.
      log(`time stood still: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }, TICK_MS);
  ticking.unref();

  return {
    port: address.port,
    async close() {
      clearInterval(ticking);
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
