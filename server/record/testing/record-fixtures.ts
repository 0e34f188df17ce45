/**
 * Records of a generated market for tests and benches. Prices are a random walk whose slowly moving volatility the
 * forecaster knows, so its quantiles are the true ones. Texts, hashes and positions are those of the real ledger. The
 * same seed gives the same records and candles.
 */
import { createHash } from 'node:crypto';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type MarketKind, SYMBOLS } from '#domain/market/symbols.ts';
import { barMinutesOf, barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import {
  FACTOR_UNITS,
  LN_UNITS,
  NO_HASH,
  type RecordBody,
  type RecordRole,
  recordText,
  SIGMA_UNITS,
  slotSecondsOf,
  textVersionOf,
  timeframeField,
  timeframeOfRecord,
} from '#domain/record/ledger/ledger.ts';
import { type BaselineTable, ewmaUpper } from '#domain/record/scoring/baseline-table.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { normalDraw, type Random, seededRandom } from '../../forecast/paths/random.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

/** Wednesday 12 November 2025, 15:00 UTC. */
export const FIRST_SLOT_S = Date.parse('2025-11-12T15:00:00Z') / 1000;

export interface RecordPlan {
  /** Default 1. */
  slots?: number;
  /** Default: four coins. */
  syms?: readonly string[];
  /** Default: all three. */
  models?: readonly ModelName[];
  seed?: string;
  /** Rounded up to a slot of the timeframe. */
  firstSlotS?: number;
  /** Default: one minute. */
  timeframe?: Timeframe;
  market?: MarketKind;
  role?: RecordRole;
  version?: string;
  baseline?: string;
  /** The record before the first; default: none. */
  after?: { seq: number; hash: string } | null;
  /** Changes to single bodies, before they are sealed. */
  change?: (body: RecordBody) => Partial<RecordBody>;
}

export interface GeneratedRecords {
  /** By slot, then symbol, then model. */
  bodies: RecordBody[];
  texts: string[];
  /** Hex. */
  hashes: string[];
  /** By symbol: from the first record's lookback to the last minute of the last record's outcome. */
  candles: ReadonlyMap<string, readonly Candle[]>;
}

/** Listed explicitly, so that a new coin in the picker changes no generated record. */
const DEFAULT_SYMS: readonly string[] = ['BTCUSDT.P', 'ETHUSDT.P', 'SOLUSDT.P', 'DOGEUSDT.P'];
/** Records of one slot, unless the plan names symbols or models. */
export const RECORDS_A_SLOT = DEFAULT_SYMS.length * MODEL_NAMES.length;

export function makeRecords(plan: RecordPlan = {}): GeneratedRecords {
  const { slots = 1, syms = DEFAULT_SYMS, models = MODEL_NAMES, seed = 'records' } = plan;
  const { timeframe = DEFAULT_TIMEFRAME } = plan;
  const stepS = slotSecondsOf(timeframe);
  const firstSlotS = Math.ceil((plan.firstSlotS ?? FIRST_SLOT_S) / stepS) * stepS;
  const markets = new Map(syms.map((sym) => [sym, generateMarket({ sym, seed, firstSlotS, slots, timeframe })]));
  const records: GeneratedRecords = {
    bodies: [],
    texts: [],
    hashes: [],
    candles: new Map([...markets].map(([sym, { candles }]) => [sym, candles])),
  };
  let { seq, hash } = plan.after ?? { seq: 0, hash: NO_HASH };
  for (let slot = firstSlotS; slot < firstSlotS + slots * stepS; slot += stepS) {
    for (const [sym, market] of markets) {
      for (const model of models) {
        seq += 1;
        const body = bodyOf({ plan, seq, slot, sym, model, market, prev: hash });
        const whole = { ...body, ...plan.change?.(body) };
        const text = recordText(whole);
        hash = sha256Hex(text);
        records.bodies.push(whole);
        records.texts.push(text);
        records.hashes.push(hash);
      }
    }
  }
  return records;
}

/** Inserts them into private.track_records, without documents, in order of seq. */
export async function insertRecords(database: Database, { bodies, texts, hashes }: GeneratedRecords): Promise<void> {
  const BATCH = 1000;
  for (let from = 0; from < bodies.length; from += BATCH) {
    const rows = bodies.slice(from, from + BATCH).map((body, i) => ({
      seq: body.seq,
      slot_s: body.slot,
      timeframe: timeframeOfRecord(body),
      sym: body.sym,
      model: body.model,
      model_version: body.version,
      role: body.role,
      market_kind: body.market,
      issued_ms: body.issued,
      body: texts[from + i],
      hash: hashes[from + i],
    }));
    await asOwner(database).query(
      `insert into private.track_records
         (seq, slot_s, timeframe, sym, model, model_version, role, market_kind, issued_ms, body, hash)
       select seq, slot_s, timeframe, sym, model, model_version, role, market_kind, issued_ms, body, decode(hash, 'hex')
         from jsonb_to_recordset($1::text::jsonb) as r (
           seq bigint, slot_s bigint, timeframe text, sym text, model text, model_version text, role text, market_kind text,
           issued_ms bigint, body text, hash text)
        order by seq`,
      [JSON.stringify(rows)],
    );
  }
}

/** The outcome of a record: the 50 candles of its bars. */
export function outcomeOf({ candles }: GeneratedRecords, body: RecordBody): Candle[] {
  const own = candles.get(body.sym) ?? [];
  const first = (body.slot - (own[0]?.time ?? 0)) / barSecondsOf(timeframeOfRecord(body));
  return own.slice(first, first + HORIZON_BARS);
}

/** A table whose log-HAR is also the normal distribution; holds only what scoring a record needs. */
export function aBaselineTable(version = 'har-0000000001'): BaselineTable {
  const [normal = []] = ewmaUpper({ ewma: SIGMA_UNITS });
  const numbers = { windows: 0, bins: [], rv50: [], range50: [], upper: SCORED_BARS.map(() => normal) };
  return { version, features: [], binStarts: [], classes: { crypto: numbers, equity: numbers, metal: numbers } };
}

interface Market {
  candles: Candle[];
  timeframe: Timeframe;
  /** Volatility of one bar; it applies to the 50 bars after each slot. */
  sigmaAt: (timeS: number) => number;
}

const START_PRICE: Readonly<Record<string, number>> = { 'BTCUSDT.P': 91_000, 'ETHUSDT.P': 3000, 'SOLUSDT.P': 140 };

interface MarketPlan {
  sym: string;
  seed: string;
  firstSlotS: number;
  slots: number;
  timeframe: Timeframe;
}

function generateMarket({ sym, seed, firstSlotS, slots, timeframe }: MarketPlan): Market {
  const barS = barSecondsOf(timeframe);
  const sigmaAt = (timeS: number): number => minuteSigmaAt(timeS) * Math.sqrt(barMinutesOf(timeframe));
  const random = seededRandom('record market', seed, sym);
  const tick = SYMBOLS.find((symbol) => symbol.sym === sym)?.tickSize ?? 0.01;
  const startS = firstSlotS - LOOKBACK_BARS * barS;
  const endS = firstSlotS + (slots - 1) * slotSecondsOf(timeframe) + HORIZON_BARS * barS;
  const candles: Candle[] = [];
  let close = START_PRICE[sym] ?? 50;
  for (let time = startS; time < endS; time += barS) {
    const candle = nextCandle(time, close, sigmaAt(time), tick, random);
    candles.push(candle);
    close = candle.close;
  }
  return { candles, timeframe, sigmaAt };
}

const SWING_S = 3 * 86_400;

/** Between 4 and 12 bp, with a period of three days: almost constant within 50 minutes. */
function minuteSigmaAt(timeS: number): number {
  return 8e-4 + 4e-4 * Math.sin((2 * Math.PI * timeS) / SWING_S);
}

function nextCandle(time: number, open: number, sigma: number, tick: number, random: Random): Candle {
  const decimals = Math.max(0, Math.round(-Math.log10(tick)));
  const rounded = (price: number): number => Number(price.toFixed(decimals));
  const close = rounded(open * Math.exp(sigma * normalDraw(random)));
  const reach = () => Math.abs(sigma * normalDraw(random)) / 2;
  const high = Math.max(open, close, rounded(Math.max(open, close) * Math.exp(reach())));
  const low = Math.min(open, close, rounded(Math.min(open, close) * Math.exp(-reach())));
  return { time, open, high, low, close, volume: 1 };
}

interface BodyParts {
  plan: RecordPlan;
  seq: number;
  slot: number;
  sym: string;
  model: ModelName;
  market: Market;
  prev: string;
}

function bodyOf({ plan, seq, slot, sym, model, market, prev }: BodyParts): RecordBody {
  const barS = barSecondsOf(market.timeframe);
  const tf = timeframeField(market.timeframe);
  const last = market.candles[(slot - barS - (market.candles[0]?.time ?? 0)) / barS];
  if (last === undefined) throw new Error('the market has no candle before the slot');
  const random = seededRandom('record path', plan.seed ?? 'records', sym, model, slot, ...Object.values(tf));
  const sigma = market.sigmaAt(slot);
  const ewma = Math.round(sigma * SIGMA_UNITS);
  const ones = SCORED_BARS.map(() => FACTOR_UNITS);
  return {
    v: textVersionOf(tf),
    seq,
    slot,
    ...tf,
    issued: slot * 1000 + 2000,
    sym,
    model,
    version: plan.version ?? `${model}-0000000001`,
    weights: sha256Hex(model),
    role: plan.role ?? 'serving',
    market: plan.market ?? 'live',
    input: sha256Hex(`${sym} ${slot}`),
    close: String(last.close),
    upper: ewmaUpper({ ewma }).map((row) => row.map((quantile) => Math.round(quantile * LN_UNITS))),
    bands: [ones, ones],
    path: pathOf(sigma, random),
    document: sha256Hex(`document ${sym} ${model} ${slot}`),
    rv: Math.round(sigma * Math.sqrt(HORIZON_BARS) * LN_UNITS),
    range: Math.round(1.6 * sigma * Math.sqrt(HORIZON_BARS) * LN_UNITS),
    ewma,
    har: SCORED_BARS.map((bar) => Math.round(ewma * Math.sqrt(bar))),
    baseline: plan.baseline ?? 'har-0000000001',
    prev,
  };
}

/** A random walk of the same volatility, at the scored bars. */
function pathOf(sigma: number, random: Random): number[] {
  let at = 0;
  let before = 0;
  return SCORED_BARS.map((bar) => {
    at += sigma * Math.sqrt(bar - before) * normalDraw(random);
    before = bar;
    // Adding 0 turns -0 into 0, because JSON does not preserve -0.
    return Math.round(at * LN_UNITS) + 0;
  });
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
