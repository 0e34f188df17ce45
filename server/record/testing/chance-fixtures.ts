/**
 * Chances of a generated market for tests: a random walk whose volatility the forecaster knows, so its chances are the
 * true ones, and its baseline takes the volatility to be half as high again. The same seed gives the same chances.
 */
import { walkAbove } from '#domain/chances/baseline-chance.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { elapsedMinutes, windowEndS, windowStartS, windowsAt } from '#domain/record/chances/chance-moments.ts';
import { type ChanceScore, scoreChance } from '#domain/record/chances/chance-score.ts';
import { CHANCE_UNITS, type ChanceBody, chanceText, type UnsealedChance } from '#domain/record/ledger/chance-text.ts';
import { NO_HASH, SIGMA_UNITS } from '#domain/record/ledger/ledger.ts';
import { normalDraw, seededRandom } from '../../forecast/paths/random.ts';
import { sha256Hex } from '../ledger/node-tools.ts';

/** Wednesday 12 November 2025, 15:00 UTC. */
export const CHANCES_START_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const SIGMA = 8e-4;

export interface ChancePlan {
  /** Whole quarters of an hour from the start. Default 1. */
  quarters?: number;
  startS?: number;
  /** Default: Bitcoin. */
  syms?: readonly string[];
  market?: MarketKind;
  seed?: string;
  /** Changes to single chances, before they are sealed. */
  change?: (chance: UnsealedChance) => Partial<UnsealedChance>;
}

export interface GeneratedChances {
  /** By moment, then symbol, then window. */
  chances: UnsealedChance[];
  candles: ReadonlyMap<string, readonly Candle[]>;
}

export function makeChances(plan: ChancePlan = {}): GeneratedChances {
  const { quarters = 1, startS = CHANCES_START_S, syms = ['BTCUSDT.P'], seed = 'chances' } = plan;
  const endS = startS + quarters * 15 * MINUTE_S;
  const candles = new Map(syms.map((sym) => [sym, walk(sym, seed, startS - MINUTE_S, endS)]));
  const chances: UnsealedChance[] = [];
  for (let slot = startS; slot < endS; slot += MINUTE_S) {
    for (const sym of syms) {
      for (const window of windowsAt(slot)) {
        const chance = chanceAt({ sym, slot, window }, candles.get(sym) ?? [], plan);
        chances.push({ ...chance, ...plan.change?.(chance) });
      }
    }
  }
  return { chances, candles };
}

function chanceAt(
  { sym, slot, window }: Pick<UnsealedChance, 'sym' | 'slot' | 'window'>,
  candles: readonly Candle[],
  { market = 'live', seed = 'chances' }: ChancePlan,
): UnsealedChance {
  const at = (timeS: number) => candles[(timeS - (candles[0]?.time ?? 0)) / MINUTE_S];
  const open = at(windowStartS(slot, window))?.open ?? Number.NaN;
  const close = at(slot - MINUTE_S)?.close ?? Number.NaN;
  const move = Math.log(open / close);
  const bars = window - elapsedMinutes(slot, window);
  const ewma = Math.round(1.5 * SIGMA * SIGMA_UNITS);
  const units = (sigma: number) =>
    Math.max(1, Math.min(CHANCE_UNITS - 1, Math.round(CHANCE_UNITS * walkAbove(sigma * Math.sqrt(bars), move))));
  return {
    slot,
    window,
    issued: slot * 1000 + 1500,
    sym,
    model: 'lion',
    version: 'lion-0000000001',
    weights: sha256Hex('lion'),
    role: 'serving',
    market,
    venue: 'one',
    input: sha256Hex(`${sym} ${slot}`),
    open: String(open),
    close: String(close),
    chance: units(SIGMA),
    baseline: units(ewma / SIGMA_UNITS),
    ewma,
    calibration: 'chances-1',
    salt: sha256Hex(`salt ${seed} ${sym} ${slot} ${window}`).slice(0, 22),
  };
}

function walk(sym: string, seed: string, fromS: number, toS: number): Candle[] {
  const random = seededRandom('chance market', seed, sym);
  const candles: Candle[] = [];
  let close = 64_000;
  for (let time = fromS; time < toS; time += MINUTE_S) {
    const open = close;
    close = Number((open * Math.exp(SIGMA * normalDraw(random))).toFixed(2));
    candles.push({ time, open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 1 });
  }
  return candles;
}

export interface ChainedChances {
  bodies: ChanceBody[];
  texts: string[];
  /** Hex. */
  hashes: string[];
  candles: ReadonlyMap<string, readonly Candle[]>;
}

/** @param after  the record before the first; default: none */
export function chainOf(
  { chances, candles }: GeneratedChances,
  after: { seq: number; hash: string } = { seq: 0, hash: NO_HASH },
): ChainedChances {
  const chain: ChainedChances = { bodies: [], texts: [], hashes: [], candles };
  let { seq, hash } = after;
  for (const chance of chances) {
    seq += 1;
    const body: ChanceBody = { ...chance, v: 3, seq, prev: hash };
    const text = chanceText(body);
    hash = sha256Hex(text);
    chain.bodies.push(body);
    chain.texts.push(text);
    chain.hashes.push(hash);
  }
  return chain;
}

/** The score by the generated candles. */
export function scoreOf(
  candles: GeneratedChances['candles'],
  body: Pick<ChanceBody, 'sym' | 'slot' | 'window' | 'open' | 'chance' | 'baseline'>,
): ChanceScore {
  const lastS = windowEndS(body.slot, body.window) - MINUTE_S;
  const end = candles.get(body.sym)?.find(({ time }) => time === lastS)?.close;
  if (end === undefined) throw new Error('the market has no candle there');
  return scoreChance(body, String(end));
}
