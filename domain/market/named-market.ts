/**
 * Any market by its name alone, where no list of products is at hand: one of the ten by the table, any other by how its
 * code and its label are built. Every page that shows alerts loads this, so it is small.
 */
import { decimalsOf } from '../format/price.ts';
import { namesOf } from './catalogue/market.ts';
import { type AssetClass, type MarketSymbol, SYMBOLS } from './symbols.ts';

/** Of products beside the ten: LINKUSDT.P for a perpetual; of spot, what pairs of the connected venues are priced in. */
const CODE = /^([A-Z\d]+?)(USD[CT]?|PYUSD|EURC?|GBP|BTC|ETH|CAD|AUD|CHF|JPY)(\.P)?$/;
const LABEL = /^([A-Z\d]+)\/([A-Z\d]+)( spot)?$/;

function specified(name: string): MarketSymbol | undefined {
  return SYMBOLS.find(({ sym, label }) => sym === name || label === name);
}

/** How a market is called on screen, by its code: 'BTC', 'PEPE/USDT'. A name of no market is returned as it is. */
export function marketLabel(sym: string): string {
  const [, base, quote = '', perpetual] = CODE.exec(sym) ?? [];
  const ending = perpetual === undefined && /^USD[CT]$/.test(quote) ? ' spot' : '';
  return specified(sym)?.label ?? (base === undefined ? sym : `${base}/${quote}${ending}`);
}

/**
 * What a market's price counts: a currency, or 'points' of an index. Stablecoins of the dollar count as dollars.
 *
 * @param sym  its code
 */
export function quoteOf(sym: string): string {
  if (specified(sym)?.assetClass === 'index') return 'points';
  const quote = CODE.exec(sym)?.[2] ?? 'USD';
  return quote.includes('USD') ? 'USD' : quote.replace(/^EURC$/, 'EUR');
}

/** A market's code by its label: 'BTCUSDT.P', 'PEPEUSDT.P'. A name of no market is returned as it is. */
export function marketCode(label: string): string {
  const [, base = '', quote = '', spot] = LABEL.exec(label) ?? [];
  const names = spot === undefined ? namesOf(base, quote, 'perpetual') : null;
  return specified(label)?.sym ?? (names ?? namesOf(base, quote, 'spot'))?.sym ?? label;
}

/** Products beside the ten are coins. Null for a name of neither. */
export function assetClassOf(label: string): AssetClass | null {
  return specified(label)?.assetClass ?? (label.includes('/') ? 'crypto' : null);
}

/**
 * Decimals that prices of a market are shown with: those of the table, or as many as the prices have.
 *
 * @param name  its code or label
 * @param prices  as the market has them: real ones or rounded to its tick
 */
export function marketDecimals(name: string, prices: readonly number[]): number {
  return specified(name)?.decimals ?? Math.max(0, ...prices.map(decimalsOf));
}
