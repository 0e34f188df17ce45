/** Recorded candles: `SYMBOL-1m.csv.gz` files of one folder. Read for fitting and measuring; nothing of them is ever written out. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Candle } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';

const SUFFIX = '-1m.csv.gz';
const HEADER = 'time,open,high,low,close,volume';
const EQUITIES = ['AAPL', 'MSFT', 'TSLA'];
const METALS = ['XAUUSD', 'GC1!'];

export interface CandleFile {
  /** File name without its ending, e.g. `BTCUSDT.P`. */
  name: string;
  assetClass: AssetClass;
  /** One unit of the last decimal that any close of the file uses. */
  tickSize: number;
  sha256: string;
  candles: Candle[];
}

export function listCandleFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
}

/** @throws Error naming file and line when a row is malformed or out of order */
export function readCandleFile(folder: string, name: string): CandleFile {
  const packed = readFileSync(join(folder, name + SUFFIX));
  const lines = gunzipSync(packed).toString('utf8').trimEnd().split('\n');
  if (lines[0]?.trim() !== HEADER) throw new Error(`${name}: the header is not ${HEADER}`);
  let decimals = 0;
  let previousTime = -1;
  const candles = lines.slice(1).map((line, i) => {
    const fields = line.split(',');
    const [time, open, high, low, close, volume] = fields.map(Number);
    const candle: Candle = {
      time: time ?? Number.NaN,
      open: open ?? Number.NaN,
      high: high ?? Number.NaN,
      low: low ?? Number.NaN,
      close: close ?? Number.NaN,
      volume: volume ?? 0,
    };
    const isSound = candle.time > previousTime && candle.low > 0 && candle.low <= candle.high;
    if (!isSound || Number.isNaN(candle.open + candle.close)) throw new Error(`${name}: line ${i + 2} is malformed`);
    previousTime = candle.time;
    decimals = Math.max(decimals, fields[4]?.split('.')[1]?.length ?? 0);
    return candle;
  });
  const tickSize = Number((10 ** -decimals).toFixed(decimals));
  return { name, assetClass: assetClassOf(name), tickSize, sha256: sha256Of(packed), candles };
}

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function assetClassOf(name: string): AssetClass {
  const bare = name.replace(/^(apache2|aux)-/, '').split('-')[0] ?? '';
  if (EQUITIES.includes(bare)) return 'equity';
  return METALS.includes(bare) ? 'metal' : 'crypto';
}
