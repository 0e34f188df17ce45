/** Repeats requests to a site and reads its prices: records the slowest answer of each part, and the statuses. */
import WebSocket from 'ws';
import * as z from 'zod/mini';
import { requestText } from '#domain/market/book/coinbase-messages.ts';

export interface AnswerWatch {
  /** Begins a part; the previous part becomes one line. */
  part(name: string): void;
  /** One line per part: answers by status, the slowest, the longest time without a price. */
  stop(): string[];
}

interface Seen {
  count: number;
  statuses: Record<string, number>;
  worstMs: number;
}

const EVERY_MS = 250;
const LIMIT_MS = 20_000;
const configSchema = z.object({ supabaseAnonKey: z.string() });

/** @param paths  by the name for the line */
export async function watchAnswers(url: () => string, paths: Readonly<Record<string, string>>): Promise<AnswerWatch> {
  const config = await fetch(`${url()}/config.json`);
  const { supabaseAnonKey: apikey } = configSchema.parse(await config.json());
  const lines: string[] = [];
  let name = 'before';
  let seen: Record<string, Seen> = {};
  let prices = 0;
  let quietMs = 0;
  let lastPriceMs = performance.now();

  async function poll(what: string, path: string): Promise<void> {
    const startedMs = performance.now();
    const mine = seen;
    const status = await fetch(url() + path, {
      headers: { connection: 'close', apikey },
      signal: AbortSignal.timeout(LIMIT_MS),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return String(answer.status);
      },
      () => 'none',
    );
    mine[what] ??= { count: 0, statuses: {}, worstMs: 0 };
    const one = mine[what];
    one.count += 1;
    one.statuses[status] = (one.statuses[status] ?? 0) + 1;
    one.worstMs = Math.max(one.worstMs, Math.round(performance.now() - startedMs));
  }

  function notePrice(): void {
    const nowMs = performance.now();
    prices += 1;
    quietMs = Math.max(quietMs, nowMs - lastPriceMs);
    lastPriceMs = nowMs;
  }

  let isStopped = false;
  let socket: WebSocket | null = null;
  /** As a page does: reopens a lost socket. */
  function read(): void {
    if (isStopped) return;
    const own = new WebSocket(`${url().replace(/^http/, 'ws')}/market/ws`);
    socket = own;
    own.on('open', () => own.send(requestText('subscribe', ['BTC-USD'], ['level2', 'ticker'])));
    own.on('message', notePrice);
    own.on('error', () => undefined);
    own.on('close', () => setTimeout(read, 1000));
  }
  read();
  const timer = setInterval(() => {
    for (const [what, path] of Object.entries(paths)) void poll(what, path);
  }, EVERY_MS);

  function end(): void {
    quietMs = Math.max(quietMs, performance.now() - lastPriceMs);
    const answers = Object.entries(seen).map(([what, { statuses, worstMs }]) => {
      const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
      return `${what} ${counts.join(', ')} (slowest ${worstMs} ms)`;
    });
    lines.push(`${name}: ${answers.join('; ')}; ${prices} prices, longest quiet ${Math.round(quietMs)} ms`);
  }

  return {
    part(next) {
      end();
      name = next;
      seen = {};
      prices = 0;
      quietMs = 0;
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      socket?.terminate();
      end();
      return lines;
    },
  };
}
