/**
 * Any market by its name alone, where no list of products is at hand: one of the ten by the table, any other by how its
 * code and its label are built.
 */
import { decimalsOf } from '../format/price.ts';
import { namesOf, PERPETUAL_QUOTES, type ProductNames } from './catalogue/market.ts';
import { type AssetClass, SYMBOLS } from './symbols.ts';

export interface NamedMarket extends ProductNames {
  assetClass: AssetClass;
  /** Of its prices; null if only the prices themselves show it. */
  decimals: number | null;
}

/** What spot pairs of the connected venues are priced in. */
const SPOT_QUOTES = 'PYUSD|USD[CT]|USD|EURC|EUR|GBP|BTC|ETH|SOL|DAI|CAD|AUD|CHF|JPY|INR|BRL|SGD|TRY';
const CODE = new RegExp(`^([A-Z0-9]+?)(${SPOT_QUOTES})(\\.P)?$`);
const LABEL = /^([A-Z0-9]+)\/([A-Z0-9]+)( spot)?$/;

/** @param name  a code or a label: 'BTCUSDT.P', 'BTC', 'PEPEUSDT.P', 'PEPE/USDT'. @returns null for no such name */
export function namedMarket(name: string): NamedMarket | null {
  const known = SYMBOLS.find(({ sym, label }) => sym === name || label === name);
  if (known !== undefined) return known;
  const [, base = '', quote = '', ending] = CODE.exec(name) ?? LABEL.exec(name) ?? [];
  const isPerpetual = name.includes('/') ? !ending && PERPETUAL_QUOTES.includes(quote) : ending !== undefined;
  const names = namesOf(base, quote, isPerpetual ? 'perpetual' : 'spot');
  return names === null || (names.sym !== name && names.label !== name)
    ? null
    : { ...names, assetClass: 'crypto', decimals: null };
}

/** How a market is called on screen: 'BTC', 'PEPE/USDT'. A name of no market is returned as it is. */
export function marketLabel(name: string): string {
  return namedMarket(name)?.label ?? name;
}

/**
 * Decimals that prices of a market are shown with: those of the table, or as many as the prices have.
 *
 * @param prices  as the market has them: real ones or rounded to its tick
 */
export function marketDecimals(name: string, prices: readonly number[]): number {
  return namedMarket(name)?.decimals ?? prices.reduce((most, price) => Math.max(most, decimalsOf(price)), 0);
}
