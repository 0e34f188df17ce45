/**
 * Streams as a viewer sees them, over HTTP against the whole server: time from the request to the first candle and to
 * the last, beside a bare Node server that writes the same messages at the same pace. Then first candles of every
 * timeframe in turns. Prints one JSON table.
 */
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { TIMEFRAMES, type Timeframe } from '../../../domain/market/timeframes.ts';
import { DEMO_PASSWORD } from '../../../scripts/demo/accounts.ts';
import { startKat } from '../../../tests/support/servers/kat-server.ts';
import { openBareStreamServer } from './bare-stream-server.ts';

const SYMBOLS = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'];
/** So many that the day's quota covers all streams. */
const LONGER_SYMBOLS = SYMBOLS.slice(0, 2);
const LONGER = ['5min', '15min'] as const;
const BOBCAT = '213';
const LION = '214';
const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string() });

interface Timing {
  firstMs: number;
  lastMs: number;
}

async function timeStream(url: string, headers: Record<string, string>): Promise<Timing> {
  const startedMs = performance.now();
  const answer = await fetch(url, { headers });
  if (answer.status !== 200 || !answer.body) throw new Error(`${answer.status}: ${await answer.text()}`);
  let firstMs = Number.NaN;
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(firstMs) && text.includes('data: {"time"')) firstMs = performance.now() - startedMs;
  }
  const candles = text.split('data: {"time"').length - 1;
  if (candles !== HORIZON_BARS) throw new Error(`${candles} candles arrived`);
  return { firstMs, lastMs: performance.now() - startedMs };
}

function summary(timings: readonly Timing[]): Record<string, number> {
  const worst = (pick: (t: Timing) => number): number => Math.round(Math.max(...timings.map(pick)));
  const median = (pick: (t: Timing) => number): number =>
    Math.round(timings.map(pick).sort((a, b) => a - b)[Math.floor(timings.length / 2)] ?? Number.NaN);
  return {
    streams: timings.length,
    firstCandleMedianMs: median((t) => t.firstMs),
    firstCandleWorstMs: worst((t) => t.firstMs),
    lastCandleMedianMs: median((t) => t.lastMs),
    lastCandleWorstMs: worst((t) => t.lastMs),
  };
}

function queryOf(sym: string, ver: string, tf?: Timeframe): URLSearchParams {
  const query = new URLSearchParams({ exc: 'BINANCE', sym, fbars: '50', lkbk: '450', amp: '100', ver });
  if (tf !== undefined) query.set('tf', tf);
  return query;
}

const bare = await openBareStreamServer();
const kat = await startKat({ args: ['--demo'] });
try {
  const config = configSchema.parse(await (await fetch(`${kat.url}/config.json`)).json());
  const client = createClient(config.supabaseUrl, config.supabaseAnonKey, { auth: { persistSession: false } });
  const { data, error } = await client.auth.signInWithPassword({ email: 'lion@example.com', password: DEMO_PASSWORD });
  if (error) throw error;
  const headers = { authorization: `Bearer ${data.session.access_token}` };
  const served: Timing[] = [];
  const floor: Timing[] = [];
  for (const sym of SYMBOLS) {
    served.push(await timeStream(`${kat.url}/stream-kat2?${queryOf(sym, BOBCAT)}`, headers));
    floor.push(await timeStream(`${bare.origin}/`, {}));
  }
  const server = summary(served);
  const baseline = summary(floor);
  const ratio = Number(((server.lastCandleMedianMs ?? 0) / (baseline.lastCandleMedianMs ?? 1)).toFixed(3));
  const firstMsOf = async (sym: string, ver: string, timeframe: Timeframe): Promise<number> => {
    const query = queryOf(sym, ver, timeframe);
    return Math.round((await timeStream(`${kat.url}/stream-kat2?${query}`, headers)).firstMs);
  };
  /** By timeframe: the model opens for the first stream of it, and its candles are fetched for each symbol. */
  const firstReader = { '5min': [] as number[], '15min': [] as number[] };
  /** The next model: it opens for the first symbol, and only the forecast is new for the second. */
  const nextModel = { '1min': [] as number[], '5min': [] as number[], '15min': [] as number[] };
  for (const sym of LONGER_SYMBOLS) for (const tf of LONGER) firstReader[tf].push(await firstMsOf(sym, BOBCAT, tf));
  for (const sym of LONGER_SYMBOLS) for (const tf of TIMEFRAMES) nextModel[tf].push(await firstMsOf(sym, LION, tf));
  console.log(
    JSON.stringify(
      { server, bareServer: baseline, lastCandleRatio: ratio, firstCandleMs: { firstReader, nextModel } },
      null,
      2,
    ),
  );
} finally {
  bare.close();
  await kat.dispose();
}
