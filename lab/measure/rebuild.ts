/** On purpose it shares no code with the measurement: its own reader, scores and bootstrap. */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';

const HORIZON = 50;
const REPORTED_HORIZONS = [1, 5, 10, 25, 50];
const MINUTES = { '1min': 1, '5min': 5, '15min': 15 };
/** Six hours, or a day for bars longer than a minute. */
const BLOCK_S = { '1min': 21_600, '5min': 86_400, '15min': 86_400 };
const DRAWS = 400;

const lineSchema = z.object({
  symbol: z.string(),
  timeframe: z._default(z.enum(['1min', '5min', '15min']), '1min'),
  model: z.string(),
  t0: z.int(),
  levels: z.array(z.number()),
  close_q: z.array(z.array(z.number())).check(z.length(HORIZON)),
  rv50: z.number(),
  range50: z.number(),
});
type Line = z.infer<typeof lineSchema>;

interface Row {
  symbol: string;
  t0: number;
  blockS: number;
  /** h1, h5, h10, h25, h50, all. */
  crps: number[];
  inside80: number;
  inside95: number;
  rvError: number;
  rangeError: number;
  rv50: number;
}

type Interval = [value: number, low: number, high: number];

export interface RebuiltModel {
  windows: number;
  blocks: number;
  /** Mean over windows, in units of log return; symbols not weighted. */
  crps: number[];
  coverage80: number;
  coverage95: number;
  coverageBySymbol: Record<string, [within80: number, within95: number]>;
  /** Compared with every other forecaster of the lines, on common windows: h1, h5, h10, h25, h50, all. */
  crpsSkillPercent: Record<string, Interval[]>;
  rv50SkillPercent: Record<string, Interval>;
  range50SkillPercent: Record<string, Interval>;
}

/** Which lines count; a group of the bench is some symbols over some time. */
export interface LineSelection {
  symbols?: readonly string[] | undefined;
  /** First t0 that counts, and the first that does not. */
  startS?: number | undefined;
  endS?: number | undefined;
}

/**
 * @param dataDir  folder of the measured candle files
 * @param lineFiles  output of --out, and of --baselines-out for skill against baselines
 * @returns by forecaster; symbols are weighted by the lines of `constant` if given, else by their one-minute moves
 * @throws Error naming file and line of an invalid line, or of one whose candles are missing
 */
export async function rebuildFigures(
  dataDir: string,
  lineFiles: readonly string[],
  selection: LineSelection = {},
): Promise<Record<string, RebuiltModel>> {
  const { symbols = null, startS = 0, endS = Number.POSITIVE_INFINITY } = selection;
  const closes = new Map<string, Map<number, number[]>>();
  const rows = new Map<string, Map<string, Row>>();
  const moves = new Map<string, number[]>();
  for (const file of lineFiles) {
    let number = 0;
    for await (const text of createInterface({ input: createReadStream(file) })) {
      number++;
      const line = parsed(text, `${file}: line ${number}`);
      const isSelected = symbols?.includes(line.symbol) ?? true;
      if (!isSelected || line.t0 < startS || line.t0 >= endS) continue;
      const key = `${line.symbol} ${line.timeframe}`;
      const known = closes.get(key) ?? readCandles(dataDir, line.symbol, MINUTES[line.timeframe]);
      closes.set(key, known);
      const row = scored(line, known, `${file}: line ${number}`);
      const own = rows.get(line.model) ?? new Map<string, Row>();
      rows.set(line.model, own.set(`${line.symbol} ${line.t0}`, row));
      const seen = moves.get(line.symbol) ?? [];
      seen.push(known.get(line.t0 + 60 * MINUTES[line.timeframe])?.[4] ?? 0);
      moves.set(line.symbol, seen);
    }
  }
  const weights = weightsOf(rows, moves);
  return Object.fromEntries([...rows].map(([name, own]) => [name, modelFigures(name, own, rows, weights)]));
}

function parsed(text: string, place: string): Line {
  try {
    return lineSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${place} isn't a line of the bench`, { cause: error });
  }
}

/** [open, high, low, close, move since the close before] by opening second. */
function readCandles(dataDir: string, symbol: string, minutes: number): Map<number, number[]> {
  const text = gunzipSync(readFileSync(join(dataDir, `${symbol}-1m.csv.gz`))).toString();
  const candles = new Map<number, number[]>();
  let previous = Number.NaN;
  let [count, openAt, highest, lowest] = [0, 0, 0, 0];
  for (const row of text.trim().split('\n').slice(1)) {
    const [time = 0, open = 0, high = 0, low = 0, close = 0] = row.split(',').map(Number);
    const place = (time / 60) % minutes;
    // A bar counts its minutes; one that lacks any never reaches the full number.
    if (place === 0) [count, openAt, highest, lowest] = [0, open, high, low];
    count = count === place ? count + 1 : Number.NaN;
    [highest, lowest] = [Math.max(highest, high), Math.min(lowest, low)];
    if (count !== minutes) continue;
    candles.set(time - 60 * (minutes - 1), [openAt, highest, lowest, close, Math.log(close / previous)]);
    previous = close;
  }
  return candles;
}

function scored(line: Line, candles: ReadonlyMap<number, readonly number[]>, place: string): Row {
  const barS = 60 * MINUTES[line.timeframe];
  const closeAt = (h: number): number => candles.get(line.t0 + barS * h)?.[3] ?? Number.NaN;
  const crps: number[] = [];
  let [all, inside80, inside95, squares] = [0, 0, 0, 0];
  let [highest, lowest] = [0, Number.POSITIVE_INFINITY];
  for (let h = 1; h <= HORIZON; h++) {
    const y = Math.log(closeAt(h) / closeAt(0));
    const quantiles = line.close_q[h - 1] ?? [];
    let loss = 0;
    for (const [i, tau] of line.levels.entries()) {
      const miss = y - (quantiles[i] ?? Number.NaN);
      loss += miss >= 0 ? tau * miss : (tau - 1) * miss;
    }
    const score = (2 * loss) / line.levels.length;
    if (REPORTED_HORIZONS.includes(h)) crps.push(score);
    all += score / Math.sqrt(h) / HORIZON;
    const at = (tau: number): number => quantiles[line.levels.indexOf(tau)] ?? Number.NaN;
    if (at(0.1) <= y && y <= at(0.9)) inside80++;
    if (at(0.025) <= y && y <= at(0.975)) inside95++;
    squares += Math.log(closeAt(h) / closeAt(h - 1)) ** 2;
    highest = Math.max(highest, candles.get(line.t0 + barS * h)?.[1] ?? Number.NaN);
    lowest = Math.min(lowest, candles.get(line.t0 + barS * h)?.[2] ?? Number.NaN);
  }
  if (!Number.isFinite(all + squares))
    throw new Error(`${place}: the candles after ${line.t0} are not in ${line.symbol}`);
  return {
    symbol: line.symbol,
    t0: line.t0,
    blockS: BLOCK_S[line.timeframe],
    crps: [...crps, all],
    inside80,
    inside95,
    rvError: squares > 0 ? Math.log(line.rv50 / Math.sqrt(squares)) : Number.NaN,
    rangeError: highest > lowest ? Math.log(line.range50 / Math.log(highest / lowest)) : Number.NaN,
    rv50: line.rv50,
  };
}

/** One over the volatility of a bar, by symbol. */
function weightsOf(
  rows: ReadonlyMap<string, ReadonlyMap<string, Row>>,
  moves: ReadonlyMap<string, readonly number[]>,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [symbol, seen] of moves) {
    const square = seen.reduce((sum, move) => sum + (Number.isFinite(move) ? move * move : 0), 0) / seen.length;
    weights.set(symbol, 1 / Math.sqrt(square));
  }
  for (const row of rows.get('constant')?.values() ?? []) weights.set(row.symbol, Math.sqrt(HORIZON) / row.rv50);
  return weights;
}

function modelFigures(
  name: string,
  own: ReadonlyMap<string, Row>,
  rows: ReadonlyMap<string, ReadonlyMap<string, Row>>,
  weights: ReadonlyMap<string, number>,
): RebuiltModel {
  const all = [...own.values()];
  const mean = (of: (row: Row) => number, among = all): number =>
    among.reduce((sum, row) => sum + of(row), 0) / among.length;
  const coverage = (among: Row[]): [number, number] => [
    (100 * mean((row) => row.inside80, among)) / HORIZON,
    (100 * mean((row) => row.inside95, among)) / HORIZON,
  ];
  const [coverage80, coverage95] = coverage(all);
  const rivals = [...rows].filter(([rival]) => rival !== name);
  const against = <T>(of: (pairs: [Row, Row][]) => T): Record<string, T> =>
    Object.fromEntries(
      rivals.map(([rival, theirs]) => [
        rival,
        of(
          [...own].flatMap(([key, row]): [Row, Row][] => {
            const other = theirs.get(key);
            return other === undefined ? [] : [[row, other]];
          }),
        ),
      ]),
    );
  return {
    windows: all.length,
    blocks: new Set(all.map((row) => Math.floor(row.t0 / row.blockS))).size,
    crps: [0, 1, 2, 3, 4, 5].map((column) => mean((row) => row.crps[column] ?? 0)),
    coverage80,
    coverage95,
    coverageBySymbol: Object.fromEntries(
      [...new Set(all.map((row) => row.symbol))].map((s) => [s, coverage(all.filter((row) => row.symbol === s))]),
    ),
    crpsSkillPercent: against((pairs) =>
      [0, 1, 2, 3, 4, 5].map((column) =>
        skillOf(pairs, (row) => (weights.get(row.symbol) ?? Number.NaN) * (row.crps[column] ?? 0)),
      ),
    ),
    rv50SkillPercent: against((pairs) => logErrorSkill(pairs, (row) => row.rvError)),
    range50SkillPercent: against((pairs) => logErrorSkill(pairs, (row) => row.rangeError)),
  };
}

function logErrorSkill(pairs: readonly [Row, Row][], of: (row: Row) => number): Interval {
  const moved = pairs.filter(([row]) => Number.isFinite(of(row)));
  const medianOf = (side: 0 | 1): number => {
    const sorted = moved.map((pair) => of(pair[side])).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  const medians = new Map<Row, number>();
  for (const side of [0, 1] as const) {
    const median = medianOf(side);
    for (const pair of moved) medians.set(pair[side], median);
  }
  return skillOf(moved, (row) => Math.abs(of(row) - (medians.get(row) ?? 0)));
}

/** 100 (1 - own loss / other loss), with its interval over blocks of time. */
function skillOf(pairs: readonly [Row, Row][], loss: (row: Row) => number): Interval {
  const blocks = new Map<number, [number, number]>();
  for (const [own, other] of pairs) {
    const key = Math.floor(own.t0 / own.blockS);
    const [a, b] = blocks.get(key) ?? [0, 0];
    blocks.set(key, [a + loss(own), b + loss(other)]);
  }
  const sums = [...blocks.values()];
  const skill = (of: readonly [number, number][]): number =>
    100 * (1 - of.reduce((sum, [a]) => sum + a, 0) / of.reduce((sum, [, b]) => sum + b, 0));
  const random = lehmer(20_250_301);
  const draws = Array.from({ length: DRAWS }, () =>
    skill(sums.map(() => sums[Math.floor(random() * sums.length)] ?? [0, 0])),
  ).sort((a, b) => a - b);
  return [skill(sums), draws[Math.floor(0.025 * DRAWS)] ?? 0, draws[Math.ceil(0.975 * DRAWS) - 1] ?? 0];
}

/** Lehmer's generator with the multiplier of Park and Miller: simple enough to type in again anywhere. */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
