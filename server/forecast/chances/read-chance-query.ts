import * as z from 'zod/mini';
import { POSED_NUMBERS, type PosedChance, type PosedKind } from '#domain/chances/chance-messages.ts';
import { WINDOW_MINUTES } from '#domain/chances/clock-window.ts';
import { type RefusedChance, refusal } from '#domain/chances/refusals.ts';
import { chanceMarketQuery } from '#domain/contract/market-routes.ts';
import { filledText } from '#domain/contract/query-fields.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { readQuery } from '../../platform/http/calls/read-query.ts';

export interface MarketQuery {
  sym: string;
  model: ModelName;
  timeframe: Timeframe;
}

const KINDS = Object.keys(POSED_NUMBERS) as PosedKind[];
/** A malformed name is reported as unknown, like any other. */
const CODE = /^[A-Z0-9.!]{1,20}$/;
const DECIMAL = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i;

const kindQuery = z.object({ kind: z.enum(KINDS) });
/** A question has its kind's numbers and no others. */
const QUESTIONS = {
  window: questionOf('window'),
  above: questionOf('above'),
  below: questionOf('below'),
  touch: questionOf('touch'),
  outside: questionOf('outside'),
  first: questionOf('first'),
  line: questionOf('line'),
} satisfies Readonly<Record<PosedKind, unknown>>;

function questionOf(kind: PosedKind) {
  const numbers = Object.fromEntries(POSED_NUMBERS[kind].map((name) => [name, filledText]));
  return z.object({ ...chanceMarketQuery.shape, kind: z.literal(kind), ...numbers });
}

/** @throws AppError `request/invalid` with `details.parameter` and `problem` */
export function readMarketQuery(params: URLSearchParams): MarketQuery {
  return marketOf(readQuery(params, chanceMarketQuery));
}

function marketOf({ symbol, model, timeframe }: z.output<typeof chanceMarketQuery>): MarketQuery {
  return { sym: CODE.test(symbol) ? symbol : '', model, timeframe };
}

/**
 * The market and the question. An invalid number becomes NaN, which the engine refuses.
 * @throws AppError `request/invalid` for parameters that are missing, repeated or unknown
 */
export function readChanceQuery(params: URLSearchParams): { market: MarketQuery; posed: PosedChance | RefusedChance } {
  const { kind } = readQuery(params, kindQuery, 'ignored');
  const query = readQuery(params, QUESTIONS[kind]);
  const number = (name: string): number => {
    const text = params.get(name) ?? '';
    return DECIMAL.test(text) ? Number(text) : Number.NaN;
  };
  return { market: marketOf(query), posed: posedOf(kind, number) };
}

function posedOf(kind: PosedKind, number: (name: string) => number): PosedChance | RefusedChance {
  switch (kind) {
    case 'window': {
      const wanted = number('minutes');
      const minutes = WINDOW_MINUTES.find((known) => known === wanted);
      return minutes === undefined ? refusal('window-unknown') : { kind, minutes };
    }
    case 'outside':
      return { kind, lower: number('lower'), upper: number('upper'), bar: number('bar') };
    case 'first':
      return { kind, target: number('target'), stop: number('stop'), bar: number('bar') };
    case 'line':
      return { kind, price: number('price') };
    default:
      return { kind, price: number('price'), bar: number('bar') };
  }
}
