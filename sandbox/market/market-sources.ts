/** Each dialect lists the symbols that its service trades, under that service's names. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { productIdOf } from '#domain/market/codecs/binance-klines.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { SandboxMarketSource } from './market-source.ts';
import { readRecording } from './recording/recording.ts';
import { type Replay, replayedSource } from './recording/replay.ts';
import { simulatedSource } from './simulation/simulation.ts';
import { type Ticks, ticksOf } from './simulation/ticks.ts';

/** Recording of each symbol: `NAME-1m.csv.gz` in the data folder. Gold uses spot prices in place of its future. */
export const RECORDING_NAMES: Readonly<Record<string, string>> = {
  'BTCUSDT.P': 'BTCUSDT.P',
  'ETHUSDT.P': 'ETHUSDT.P',
  'SOLUSDT.P': 'SOLUSDT.P',
  'DOGEUSDT.P': 'DOGEUSDT.P',
  MSFT: 'MSFT',
  AAPL: 'AAPL',
  TSLA: 'TSLA',
  'GC1!': 'XAUUSD',
};

export interface ListedSymbol {
  symbol: MarketSymbol;
  /** The name in the venue's protocol: BTCUSDT, MSFT, GC1 ... */
  productId: string;
  source: SandboxMarketSource;
  ticks: Ticks;
}

export interface SourceOptions {
  /** Null: everything is simulated. */
  dataDir: string | null;
  seed: string;
  /** Absent: real time. */
  speed?: number;
  /** Market time at the start, milliseconds. */
  nowMs: number;
  /** Recorded candles before this are not played; null: all are played. */
  startMs: number | null;
  log(line: string): void;
}

/** All ten symbols, in the product's order. A recording that cannot be played is logged, and its symbol simulated. */
export async function openSources(options: SourceOptions): Promise<ListedSymbol[]> {
  const replays = await Promise.all(SYMBOLS.map((symbol) => openReplay(symbol, options)));
  return SYMBOLS.map((symbol: MarketSymbol, i) => {
    const { replay, line } = replays[i] ?? NOT_RECORDED;
    if (line !== null) options.log(`${symbol.label}: ${line}`);
    const source = replay ?? simulatedSource(symbol, options.seed);
    return {
      symbol,
      productId: productIdOf(symbol),
      source,
      ticks: ticksOf(symbol, source, options.seed, options.speed),
    };
  });
}

interface OpenedReplay {
  replay: Replay | null;
  /** Message for the start's output; null: none. */
  line: string | null;
}

const NOT_RECORDED: OpenedReplay = { replay: null, line: null };

async function openReplay(symbol: MarketSymbol, options: SourceOptions): Promise<OpenedReplay> {
  const name = RECORDING_NAMES[symbol.sym];
  if (options.dataDir === null || name === undefined) return NOT_RECORDED;
  const file = `${name}-1m.csv.gz`;
  const path = join(options.dataDir, file);
  try {
    await access(path);
  } catch {
    // A folder with only some of the recordings is a normal setting, not an error.
    return { replay: null, line: `no ${file} in MARKET_DATA_DIR, simulated instead` };
  }
  try {
    const recording = await readRecording(path, options.startMs === null ? 0 : options.startMs / 1000);
    const replay = replayedSource(recording, symbol.hours, options.nowMs / 1000);
    return { replay, line: describe(replay, recording.dropped) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { replay: null, line: `${file} cannot be replayed (${reason}), simulated instead` };
  }
}

function describe(replay: Replay, dropped: number): string {
  const iso = (epochS: number): string => `${new Date(epochS * 1000).toISOString().slice(0, 16)}Z`;
  const bad = dropped === 0 ? '' : `, ${dropped} malformed rows dropped`;
  const end = `until ${iso(replay.endS)}, then a gap, and again from ${iso(replay.repeatS)}`;
  return `replays ${replay.rows} recorded candles ${end}${bad}`;
}
