import type { MarketSymbol } from '../../market/symbols.ts';
import type { GroupFigures, ModelFigures } from '../model-figures.ts';

export type SymbolSummary = Pick<MarketSymbol, 'assetClass' | 'label'>;

/** True when a ready model was measured on no window of the symbol, although perhaps on others of its class. */
export function isNotEvaluated({ figures }: ModelFigures, { assetClass, label }: SymbolSummary): boolean {
  if (figures === null) return false;
  if (figures.notEvaluated.includes(assetClass)) return true;
  const base = baseOf(label);
  return !figures.groups.some((group) => measuredLabels(group).includes(base));
}

/** 'BTC' is the label of one of the ten, 'LINK/USDT' that of a product of the catalogue. */
function baseOf(label: string): string {
  return label.split('/')[0] ?? label;
}

/** How a symbol without figures is named beside a model: a coin of the catalogue is forecast by what others taught. */
export function notEvaluatedLine({ label }: Pick<SymbolSummary, 'label'>): string {
  return label.includes('/') ? 'Not trained on this coin' : `Not evaluated on ${label}`;
}

/** The picker's labels of the symbols that a group was measured on, each once. */
export function measuredLabels({ skill }: GroupFigures): string[] {
  return [...new Set(skill.symbols.map(plainName))];
}

/** 'BTCUSDT.P' and 'BTCUSDT' are 'BTC', 'aux-ADAUSDT.P' is 'ADA'. */
function plainName(symbol: string): string {
  const name = symbol
    .replace(/^aux-/, '')
    .replace(/\.P$/, '')
    .replace(/USDT?$/, '');
  return name === 'XAU' ? 'Gold' : name;
}
