import { MAX_COINS } from '#domain/market/reference/global-metrics.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

/** Valid values of each parameter; one with an upstream default may be left out. */
type Rules = Readonly<Record<string, { isValid: (value: string) => boolean; isNeeded?: boolean }>>;

const only = (value: string) => ({ isValid: (actual: string) => actual === value });

const COINS_QUERY: Rules = {
  vs_currency: { ...only('usd'), isNeeded: true },
  order: only('market_cap_desc'),
  per_page: { isValid: (value) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_COINS },
  page: only('1'),
  sparkline: only('false'),
  price_change_percentage: only('24h'),
};
const DEFAULT_PER_PAGE = 100;

/** @returns how many coins. @throws AppError `request/invalid` naming the parameter */
export function readCoinsQuery(params: URLSearchParams): number {
  const { per_page } = readStrictly(params, COINS_QUERY);
  return per_page === undefined ? DEFAULT_PER_PAGE : Number(per_page);
}

/** @throws AppError `request/invalid` */
export function requireNoQuery(params: URLSearchParams): void {
  readStrictly(params, {});
}

/** @throws AppError `request/invalid` */
export function requireFearGreedQuery(params: URLSearchParams): void {
  readStrictly(params, { limit: only('1') });
}

function readStrictly(params: URLSearchParams, rules: Rules): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of params) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const shown = name.slice(0, 50);
    if (rule === undefined) throw invalidParameter(shown, 'unknown');
    if (Object.hasOwn(values, name)) throw invalidParameter(shown, 'repeated');
    if (!rule.isValid(value)) throw invalidParameter(shown, 'invalid');
    values[name] = value;
  }
  for (const [name, rule] of Object.entries(rules))
    if (rule.isNeeded === true && values[name] === undefined) throw invalidParameter(name, 'missing');
  return values;
}
