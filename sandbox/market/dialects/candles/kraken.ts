/** Kraken's public OHLC with its real refusals: unknown pairs and unknown intervals, including calendar months. */
import type { Candle } from '#domain/market/candle.ts';
import { toKrakenProduct } from '#domain/market/catalogue/kraken-products.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import {
  KRAKEN_ERRORS,
  type KrakenRow,
  krakenPairOf,
  MAX_KRAKEN_ROWS,
  readKrakenSinceS,
  toKrakenAnswer,
  toKrakenError,
} from '#domain/market/codecs/kraken-ohlc.ts';
import type { DialectAnswer, OpenDialect } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { venueListing } from '../../products/venue-listing.ts';
import { type LongRange, longRange } from '../../simulation/long-range.ts';

const INTERVALS_MIN = [1, 5, 15, 30, 60, 240, 1440, 10_080, 21_600];
const DEFAULT_INTERVAL = '1';
const METHOD_ERROR = 'EGeneral:Unknown method';

export const krakenDialect: OpenDialect = ({ listing, products, clock, seed }) => {
  const pairs = venueListing({
    venue: 'kraken',
    listing,
    products,
    kind: 'spot',
    idOf: ({ kraken }) => kraken?.name ?? null,
  });
  const ranges = new Map<string, LongRange>(
    listing.map((listed) => [listed.symbol.label, longRange(listed, seed)] as const),
  );

  /** Of generated products, as long as they are open. */
  const opened = new WeakMap<ListedSymbol, LongRange>();

  function answerOhlc(query: URLSearchParams): object {
    const name = query.get('pair') ?? '';
    const generated = products.find('kraken', name);
    if (generated !== undefined) opened.get(generated) ?? opened.set(generated, longRange(generated, seed));
    const pair = krakenPairOf(name) ?? (generated === undefined ? null : { name, key: name, label: name, aliases: [] });
    const range = generated === undefined ? ranges.get(pair?.label ?? '') : opened.get(generated);
    const interval = query.get('interval') ?? DEFAULT_INTERVAL;
    const minutes = INTERVALS_MIN.find((each) => String(each) === interval);
    const sinceS = query.has('since') ? readKrakenSinceS(query.get('since') ?? '') : -1;
    if (!query.has('pair') || minutes === undefined || sinceS === null) return { error: [KRAKEN_ERRORS.arguments] };
    if (pair === null || range === undefined) return toKrakenError(KRAKEN_ERRORS.pair);
    const bars = range.bars(minutes * 60, MAX_KRAKEN_ROWS, clock.nowMs());
    const decimals = generated?.symbol.decimals ?? DECIMALS[pair.name] ?? 2;
    return toKrakenAnswer(pair, rowsOf(bars, decimals), sinceS);
  }

  return {
    name: 'kraken',
    answer({ path, query }): DialectAnswer {
      if (path === '/0/public/OHLC') return { status: 200, body: answerOhlc(query) };
      if (path !== '/0/public/AssetPairs') return { status: 200, body: { error: [METHOD_ERROR] } };
      return { status: 200, body: { error: [], result: Object.fromEntries(pairs.markets().map(toKrakenProduct)) } };
    },
  };
};

const DECIMALS: Readonly<Record<string, number>> = { XBTUSD: 1, ETHUSD: 2, SOLUSD: 2, XDGUSD: 7 };
/** The reported number of trades a minute, because trades are not simulated so far back. */
const TRADES_A_MINUTE = 12;

function rowsOf(bars: readonly Candle[], decimals: number): KrakenRow[] {
  return bars.map((bar, i) => {
    const { time, open, high, low, close, volume = 0 } = bar;
    const spanMin = ((bars[i + 1]?.time ?? time + 60) - time) / 60;
    const price = (value: number): string => decimalText(Number(value.toFixed(decimals)));
    const vwap = volume === 0 ? '0.0' : price((open + high + low + close) / 4);
    const count = volume === 0 ? 0 : Math.max(1, Math.round(spanMin * TRADES_A_MINUTE));
    return [time, price(open), price(high), price(low), price(close), vwap, volume.toFixed(8), count];
  });
}
