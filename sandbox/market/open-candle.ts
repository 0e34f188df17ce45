/** How a candle looks while its minute runs: it starts at its open, visits both ends and arrives at its close. */
import type { Candle } from '#domain/market/candle.ts';
import { streamOf, uniformAt } from './noise.ts';

const STREAM = streamOf('open candle');

/**
 * @param whole     the candle as it will close
 * @param fraction  how much of its minute has passed, 0 to 1
 * @param tickSize  price step that intermediate prices are rounded to
 */
export function openCandleAt(whole: Candle, fraction: number, tickSize: number): Candle {
  const { time, open, high, low, close } = whole;
  const [first, second] = close >= open ? [low, high] : [high, low];
  const firstAt = 0.1 + 0.35 * uniformAt(STREAM, time);
  const secondAt = 0.55 + 0.35 * uniformAt(STREAM, time + 1);
  const stops = [
    { at: 0, price: open },
    { at: firstAt, price: first },
    { at: secondAt, price: second },
    { at: 1, price: close },
  ];
  const f = Math.max(0, Math.min(1, fraction));
  const passed = stops.filter((stop) => stop.at <= f);
  const from = passed.at(-1) ?? { at: 0, price: open };
  const to = stops[passed.length] ?? from;
  const share = to.at === from.at ? 1 : (f - from.at) / (to.at - from.at);
  const last = roundWithin(from.price + share * (to.price - from.price), tickSize, low, high);
  const seen = [...passed.map((stop) => stop.price), last];
  return {
    time,
    open,
    high: Math.max(...seen),
    low: Math.min(...seen),
    close: last,
    volume: Number(((whole.volume ?? 0) * f).toPrecision(8)),
  };
}

function roundWithin(price: number, tickSize: number, low: number, high: number): number {
  const rounded = Number((Math.round(price / tickSize) * tickSize).toPrecision(12));
  return Math.max(low, Math.min(high, rounded));
}
