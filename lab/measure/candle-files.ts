/** Recorded candles for fitting and measuring: one folder's `SYMBOL-1m.csv.gz` files. No candle is written out. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { aggregateCandles } from '../../domain/market/bars.ts';
import { type Candle, MINUTE_S } from '../../domain/market/candle.ts';
import { type AssetClass, SYMBOLS } from '../../domain/market/symbols.ts';
import type { Timeframe } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';

const SUFFIX = '-1m.csv.gz';
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'];
const HEADER = COLUMNS.join();
/** As seconds this is the year 5138; as milliseconds, 1973. */
const MILLISECONDS_FROM = 1e11;
/** Beyond the picker's symbols: feed names for gold and silver, the dollar index and oil. */
const CLASS_OF_NAME: readonly [RegExp, AssetClass][] = [
  [/^(XAU|XAG|GC\d*!?$|SI\d*!?$|GOLD$|SILVER$)/, 'metal'],
  [/^(DXY|DX\d*!?$|USDX|SPX|NDX)/, 'index'],
  [/^(CL\d*!?$|USOIL|UKOIL|WTI|BRENT)/, 'energy'],
];

export interface CandleFile {
  /** File name without its ending, e.g. `BTCUSDT.P`. */
  name: string;
  assetClass: AssetClass;
  /** Of the file's bytes, whatever the timeframe. */
  sha256: string;
  timeframe: Timeframe;
  /** Strictly rising in time, each well-formed; some may be missing. */
  candles: Candle[];
}

/** Names of the files of a folder, sorted. @throws BadInput if there is no such folder */
export function listCandleFiles(folder: string): string[] {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch (error) {
    throw new BadInput(`${folder} isn't a readable folder`, { cause: error });
  }
  return files
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
}

/** 'BTCUSDT-1m.csv.gz' */
export function fileNameOf({ name }: CandleFile): string {
  return name + SUFFIX;
}

/** A missing minute is valid: no window crosses it. @throws BadInput naming file and line for any other fault */
export function readCandleFile(folder: string, name: string): CandleFile {
  const file = name + SUFFIX;
  const packed = readFileSync(join(folder, file));
  const lines = textOf(packed, file).trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') throw new BadInput(`${file} is empty`);
  if (lines[0]?.trim() !== HEADER) throw new BadInput(`${file}: line 1 is not the header ${HEADER}`);
  if (lines.length === 1) throw new BadInput(`${file} has a header and no candles`);
  let previousTime = -1;
  const candles = lines.slice(1).map((line, i) => {
    const candle = candleOf(line.split(','));
    const fault = typeof candle === 'string' ? candle : faultOf(candle, previousTime);
    if (typeof candle === 'string' || fault !== null) throw new BadInput(`${file}: line ${i + 2}: ${fault}`);
    previousTime = candle.time;
    return candle;
  });
  return { name, assetClass: assetClassOf(name), sha256: sha256Of(packed), timeframe: '1min', candles };
}

/** A file of minutes as one of longer bars, added up. @param offsetMinutes  see aggregateCandles */
export function inTimeframe(file: CandleFile, timeframe: Timeframe, offsetMinutes = 0): CandleFile {
  if (file.timeframe === timeframe) return file;
  return { ...file, timeframe, candles: aggregateCandles(file.candles, timeframe, offsetMinutes) };
}

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function textOf(packed: Buffer, file: string): string {
  try {
    return gunzipSync(packed)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (error) {
    throw new BadInput(`${file} cannot be unpacked: it isn't a whole gzip file`, { cause: error });
  }
}

/** The candle, or the error in the row. */
function candleOf(fields: readonly string[]): Candle | string {
  if (fields.length !== COLUMNS.length) return `${fields.length} fields instead of ${COLUMNS.length}`;
  // An empty field would read as 0.
  const numbers = fields.map((field) => (field.trim() === '' ? Number.NaN : Number(field)));
  const wrong = numbers.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) return `${COLUMNS[wrong]} isn't a number: "${fields[wrong]?.trim().slice(0, 20)}"`;
  const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers;
  return { time, open, high, low, close, volume };
}

function faultOf(c: Candle, previousTime: number): string | null {
  if (c.time >= MILLISECONDS_FROM) return 'time is in milliseconds, not in seconds';
  if (!Number.isSafeInteger(c.time) || c.time < 0 || c.time % MINUTE_S !== 0)
    return "time isn't a whole minute in seconds";
  if (c.time === previousTime) return 'the same time as the line before';
  if (c.time < previousTime) return 'time goes back';
  if (c.low <= 0) return 'a price is not above 0';
  if (c.low > Math.min(c.open, c.close) || c.high < Math.max(c.open, c.close)) {
    return 'low, open, close and high are out of order';
  }
  return (c.volume ?? 0) < 0 ? 'volume is below 0' : null;
}

/** Unknown names count as crypto: a market that never closes, whose windows cross no gap. */
export function assetClassOf(name: string): AssetClass {
  const bare = name.replace(/^(apache2|aux)-/, '').split('-')[0] ?? '';
  const known = SYMBOLS.find(({ sym, label }) => sym === bare || label === bare);
  if (known !== undefined) return known.assetClass;
  return CLASS_OF_NAME.find(([pattern]) => pattern.test(bare))?.[1] ?? 'crypto';
}
