/** Keeps the usual range at the last closed bar, or at the bar that a new forecast starts from. */
import type { UsualRange } from '#domain/forecast/ranges/usual-range.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import type { CandleFeed, ChartSeries } from '../../../charts/candles/candle-feed.ts';
import type { ChartMarket } from '../run/chart-market.ts';

/** The minute turns for all pages at the same time; this spreads their requests. */
const SPREAD_MS = 1500;
/** The server may have the bar slightly later than the live connection. */
const RETRY_MS = 3000;
const MAX_TRIES = 3;

type LoadUsual = (market: ChartMarket, signal: AbortSignal) => Promise<UsualRange>;

/** @returns a function that stops, and takes the range off the chart */
export function followUsual(feed: CandleFeed, market: ChartMarket, load: LoadUsual): () => void {
  const abort = new AbortController();
  let wantedS: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function want(series: ChartSeries): void {
    const nextS = startOf(series);
    if (nextS === wantedS) return;
    const isFirst = wantedS === null;
    wantedS = nextS;
    clearTimeout(timer);
    if (nextS === null || nextS === series.usual?.t0) return;
    timer = setTimeout(() => void fetchFor(nextS, 1), isFirst ? 0 : Math.random() * SPREAD_MS);
  }

  async function fetchFor(startS: number, tries: number): Promise<void> {
    const range = await load(market, abort.signal).catch(() => null);
    if (abort.signal.aborted || startS !== wantedS) return;
    if (range?.t0 === startS) feed.setUsual(range);
    else if ((range === null || range.t0 < startS) && tries < MAX_TRIES)
      timer = setTimeout(() => void fetchFor(startS, tries + 1), RETRY_MS);
  }

  const stopListening = feed.listen({ onReset: want, onAppend: () => undefined, onClose: want });
  want(feed.series());
  return () => {
    abort.abort();
    clearTimeout(timer);
    stopListening();
    feed.setUsual(null);
  };
}

/** Null for an empty chart, a forecast whose bars have begun to close, and an amplified one. */
function startOf({ candles, joinS, outcome = [], usual, ampPercent }: ChartSeries): number | null {
  if ((ampPercent ?? DEFAULT_AMPLIFY_PERCENT) !== DEFAULT_AMPLIFY_PERCENT) return null;
  if (joinS === null) return candles.at(-1)?.time ?? null;
  return outcome.length === 0 || usual?.t0 === joinS ? joinS : null;
}
