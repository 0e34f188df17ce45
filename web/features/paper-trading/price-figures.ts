/** Writes what changes with every tick into existing elements: price, result, countdown, the trace. */
import { formatChange, formatPercent, formatPrice } from '#domain/format/price.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { tradeCost } from '#domain/paper-trading/trade-cost.ts';
import { writeText } from '../../ui/browser/write-text.ts';
import { HISTORY_MS, type LivePrice, type PricePoint } from './live-price.ts';
import type { PaperEngine } from './paper-engine.ts';

/** The trace's own units, which the page stretches. */
export const TRACE_WIDTH = 240;
export const TRACE_HEIGHT = 48;
const TRACE_INSET = 3;

/** Decimals of prices and results here: at least two. */
export function paperDecimals(symbol: MarketSymbol): number {
  return Math.max(2, symbol.decimals);
}

/** '▲ +12.30': colour is not the only cue. */
export function resultText(pnl: number | null, symbol: MarketSymbol): string {
  if (pnl === null) return '–';
  const mark = pnl > 0 ? '▲ ' : pnl < 0 ? '▼ ' : '';
  return `${mark}${formatChange(pnl, paperDecimals(symbol))}`;
}

export function signOf(value: number | null): 'up' | 'down' | 'even' {
  if (value === null || value === 0) return 'even';
  return value > 0 ? 'up' : 'down';
}

/** @param root  contains elements marked `data-figure="price"` and so on; missing ones are skipped */
export function paintFigures(
  root: HTMLElement,
  price: LivePrice,
  symbol: MarketSymbol,
  engine: PaperEngine,
  nowMs: number,
): void {
  const points = price.points();
  const last = price.quote()?.price ?? null;
  const change = price.change24h();
  const running = engine.running();
  const remainingMs = engine.remainingMs();
  write(root, 'price', formatPrice(last ?? Number.NaN, paperDecimals(symbol)));
  write(root, 'change', change === null ? '–' : `${change < 0 ? '▼' : '▲'} ${formatPercent(change)}`, signOf(change));
  write(root, 'result', resultText(running, symbol), signOf(running));
  const net = netOf(engine);
  write(root, 'net', resultText(net, symbol), signOf(net));
  write(root, 'countdown', remainingMs === null ? '' : `${Math.ceil(remainingMs / 1000)} s`);
  const entry = engine.state().open?.entryPrice ?? null;
  const trace = traceOf(points, entry, nowMs);
  setAttribute(root, 'trace', 'points', trace.points);
  setAttribute(root, 'entry', 'visibility', trace.entryY === null ? 'hidden' : 'visible');
  setAttribute(root, 'entry', 'y1', String(trace.entryY ?? 0));
  setAttribute(root, 'entry', 'y2', String(trace.entryY ?? 0));
}

/** The open trade's result now, less what opening and closing it costs. */
function netOf(engine: PaperEngine): number | null {
  const { open } = engine.state();
  const running = engine.running();
  if (open === null || running === null) return null;
  const exitPrice = open.entryPrice + (open.side === 'long' ? running : -running);
  return running - tradeCost(open.symbol, open.entryPrice, exitPrice);
}

/** The last minute from left to right; the entry price is always in range. */
export function traceOf(points: readonly PricePoint[], entryPrice: number | null, nowMs: number) {
  const shown = points.filter(({ atMs }) => atMs >= nowMs - HISTORY_MS);
  const prices = [...shown.map(({ price }) => price), ...(entryPrice === null ? [] : [entryPrice])];
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const room = TRACE_HEIGHT - 2 * TRACE_INSET;
  const y = (price: number) =>
    high === low ? TRACE_HEIGHT / 2 : Math.round((TRACE_INSET + ((high - price) / (high - low)) * room) * 10) / 10;
  const x = (atMs: number) => Math.round((1 - (nowMs - atMs) / HISTORY_MS) * TRACE_WIDTH * 10) / 10;
  return {
    points: shown.map(({ atMs, price }) => `${x(atMs)},${y(price)}`).join(' '),
    entryY: entryPrice === null || shown.length === 0 ? null : y(entryPrice),
  };
}

function write(root: HTMLElement, name: string, text: string, sign?: string): void {
  const element = find(root, name);
  if (element === null) return;
  writeText(element, text);
  if (sign !== undefined && element.getAttribute('data-sign') !== sign) element.setAttribute('data-sign', sign);
}

function setAttribute(root: HTMLElement, name: string, attribute: string, value: string): void {
  const element = find(root, name);
  if (element !== null && element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

function find(root: HTMLElement, name: string): Element | null {
  return root.querySelector(`[data-figure="${name}"]`);
}
