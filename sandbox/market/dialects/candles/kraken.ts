/** Kraken's public OHLC with its real refusals: unknown pairs and unknown intervals, including calendar months. */
import type { Candle } from '#domain/market/candle.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import {
  KRAKEN_ERRORS,
  type KrakenPair,
  type KrakenRow,
  krakenPairOf,
  MAX_KRAKEN_ROWS,
  readKrakenSinceS,
  toKrakenAnswer,
  toKrakenError,
} from '#domain/market/codecs/kraken-ohlc.ts';
import type { DialectAnswer, OpenDialect } from '../../dialect.ts';
import { type LongRange, longRange } from '../../simulation/long-range.ts';

const INTERVALS_MIN = [1, 5, 15, 30, 60, 240, 1440, 10_080, 21_600];
const DEFAULT_INTERVAL = '1';
const METHOD_ERROR = 'EGeneral:Unknown method';

export const krakenDialect: OpenDialect = ({ listing, clock, seed }) => {
  const ranges = new Map<string, LongRange>(
    listing.map((listed) => [listed.symbol.label, longRange(listed, seed)] as const),
  );

  function answerOhlc(query: URLSearchParams): object {
    const pair = krakenPairOf(query.get('pair') ?? '');
    const range = ranges.get(pair?.label ?? '');
    const interval = query.get('interval') ?? DEFAULT_INTERVAL;
    const minutes = INTERVALS_MIN.find((each) => String(each) === interval);
    const sinceS = query.has('since') ? readKrakenSinceS(query.get('since') ?? '') : -1;
    if (!query.has('pair') || minutes === undefined || sinceS === null) return { error: [KRAKEN_ERRORS.arguments] };
    if (pair === null || range === undefined) return toKrakenError(KRAKEN_ERRORS.pair);
    const bars = range.bars(minutes * 60, MAX_KRAKEN_ROWS, clock.nowMs());
    return toKrakenAnswer(pair, rowsOf(pair, bars), sinceS);
  }

  return {
    name: 'kraken',
    answer({ path, query }): DialectAnswer {
      const isOhlc = path === '/0/public/OHLC';
      return { status: 200, body: isOhlc ? answerOhlc(query) : { error: [METHOD_ERROR] } };
    },
  };
};

const DECIMALS: Readonly<Record<string, number>> = { XBTUSD: 1, ETHUSD: 2, SOLUSD: 2, XDGUSD: 7 };
/** The reported number of trades a minute, because trades are not simulated so far back. */
const TRADES_A_MINUTE = 12;

function rowsOf({ name }: KrakenPair, bars: readonly Candle[]): KrakenRow[] {
  const decimals = DECIMALS[name] ?? 2;
  return bars.map((bar, i) => {
    const { time, open, high, low, close, volume = 0 } = bar;
    const spanMin = ((bars[i + 1]?.time ?? time + 60) - time) / 60;
    const price = (value: number): string => decimalText(Number(value.toFixed(decimals)));
    const vwap = volume === 0 ? '0.0' : price((open + high + low + close) / 4);
    const count = volume === 0 ? 0 : Math.max(1, Math.round(spanMin * TRADES_A_MINUTE));
    return [time, price(open), price(high), price(low), price(close), vwap, volume.toFixed(8), count];
  });
}
