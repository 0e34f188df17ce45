/** The query of GET /stream-kat2, parsed strictly: every parameter once, in plain digits, and no unknown ones. */
import { AppError } from '#domain/errors/app-error.ts';
import { MAX_AMPLIFY_PERCENT } from '#domain/forecast/amplify.ts';
import { type ModelInfo, modelOfVersion } from '#domain/forecast/models.ts';
import { HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { findSymbol, type MarketSymbol } from '#domain/market/symbols.ts';
import { invalidParameter } from '../../platform/http/calls/invalid-parameter.ts';

export interface StreamQuery {
  exc: string;
  symbol: MarketSymbol;
  model: ModelInfo;
  /** Candles to send, 1 to 50; only a stream of all 50 can be saved. */
  bars: number;
  ampPercent: number;
}

const NAMES: readonly string[] = ['exc', 'sym', 'fbars', 'lkbk', 'amp', 'ver'];
const WHOLE_NUMBER = /^(0|[1-9]\d{0,3})$/;
const DECIMAL_NUMBER = /^(0|[1-9]\d{0,3})(\.\d{1,4})?$/;

/**
 * `lkbk` must be 450, the candles that every model reads: another number would not change the forecast. The query never
 * holds a token, because it would end up in logs.
 *
 * @throws AppError `request/invalid` with `details.parameter` and `details.problem`; `market/unknown-symbol`
 */
export function readStreamQuery(params: URLSearchParams): StreamQuery {
  for (const name of params.keys()) {
    if (!NAMES.includes(name)) throw invalidParameter(shortName(name), 'unknown');
  }
  const bars = readNumber(params, 'fbars', WHOLE_NUMBER, 1, HORIZON_BARS);
  readNumber(params, 'lkbk', WHOLE_NUMBER, LOOKBACK_BARS, LOOKBACK_BARS);
  const ampPercent = readNumber(params, 'amp', DECIMAL_NUMBER, 0, MAX_AMPLIFY_PERCENT);
  const model = modelOfVersion(readNumber(params, 'ver', WHOLE_NUMBER, 0, 9999));
  if (!model) throw invalidParameter('ver', 'invalid');
  const exc = readOnce(params, 'exc');
  const symbol = findSymbol(exc, readOnce(params, 'sym'));
  if (!symbol) throw new AppError('market/unknown-symbol', { details: { parameter: 'sym' } });
  return { exc, symbol, model, bars, ampPercent };
}

function readNumber(params: URLSearchParams, name: string, form: RegExp, min: number, max: number): number {
  const text = readOnce(params, name);
  const value = form.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw invalidParameter(name, 'invalid');
  return value;
}

function readOnce(params: URLSearchParams, name: string): string {
  const [value, ...more] = params.getAll(name);
  if (value === undefined || value === '') throw invalidParameter(name, 'missing');
  if (more.length > 0) throw invalidParameter(name, 'repeated');
  return value;
}

/** Unsafe input is echoed only in part, and only its letters, digits, `_` and `-`. */
function shortName(name: string): string {
  return name.slice(0, 30).replace(/[^A-Za-z0-9_-]/g, '?');
}
