import { POSED_NUMBERS, type PosedChance, type PosedKind } from '#domain/chances/chance-messages.ts';
import { WINDOW_MINUTES } from '#domain/chances/clock-window.ts';
import { type RefusedChance, refusal } from '#domain/chances/refusals.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

export interface MarketQuery {
  sym: string;
  model: ModelName;
  timeframe: Timeframe;
}

const MARKET_NAMES = ['symbol', 'model', 'timeframe'] as const;
const KINDS = Object.keys(POSED_NUMBERS) as PosedKind[];
/** A malformed name is reported as unknown, like any other. */
const CODE = /^[A-Z0-9.!]{1,20}$/;
const DECIMAL = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i;

/**
 * The market's parameters. @param others  further names that the query may hold
 * @throws AppError `request/invalid` with `details.parameter` and `problem`
 */
export function readMarketQuery(params: URLSearchParams, others: readonly string[] = []): MarketQuery {
  const names: readonly string[] = [...MARKET_NAMES, ...others];
  for (const name of params.keys()) if (!names.includes(name)) throw invalidParameter('query', 'unknown');
  const sym = readOnce(params, 'symbol');
  const model = MODEL_NAMES.find((known) => known === readOnce(params, 'model'));
  if (model === undefined) throw invalidParameter('model', 'invalid');
  const wanted = params.has('timeframe') ? readOnce(params, 'timeframe') : DEFAULT_TIMEFRAME;
  const timeframe = TIMEFRAMES.find((known) => known === wanted);
  if (timeframe === undefined) throw invalidParameter('timeframe', 'invalid');
  return { sym: CODE.test(sym) ? sym : '', model, timeframe };
}

/**
 * The market and the question. An invalid number becomes NaN, which the engine refuses.
 * @throws AppError `request/invalid` for parameters that are missing, repeated or unknown
 */
export function readChanceQuery(params: URLSearchParams): { market: MarketQuery; posed: PosedChance | RefusedChance } {
  const kind = KINDS.find((known) => known === readOnce(params, 'kind'));
  if (kind === undefined) throw invalidParameter('kind', 'invalid');
  const market = readMarketQuery(params, ['kind', ...POSED_NUMBERS[kind]]);
  const number = (name: string): number => {
    const text = readOnce(params, name);
    return DECIMAL.test(text) ? Number(text) : Number.NaN;
  };
  return { market, posed: posedOf(kind, number) };
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

function readOnce(params: URLSearchParams, name: string): string {
  const [value, ...more] = params.getAll(name);
  if (value === undefined || value === '') throw invalidParameter(name, 'missing');
  if (more.length > 0) throw invalidParameter(name, 'repeated');
  return value;
}
