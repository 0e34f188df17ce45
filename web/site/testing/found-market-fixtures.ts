import type { FoundMarket } from '#domain/market/catalogue/found-market.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { type FakeBackend, json } from '../../platform/testing/fake-backend.ts';

/** A perpetual of a coin, as GET /markets answers it. @param base  'LINK' */
export function aFound(base: string, change: Partial<FoundMarket> = {}): FoundMarket {
  return {
    label: `${base}/USDT`,
    exc: 'BINANCE',
    sym: `${base}USDT.P`,
    base,
    quote: 'USDT',
    name: '',
    kind: 'perpetual',
    status: 'trading',
    exchanges: ['BINANCE'],
    tickSize: 0.001,
    bookProductId: null,
    listedAtS: null,
    isNew: false,
    ...change,
  };
}

/** One of the ten, as GET /markets answers it. */
export function foundBtc(): FoundMarket {
  const [{ label, sym, exc, tickSize, bookProductId }] = SYMBOLS;
  return aFound('BTC', { label, sym, exc, tickSize, bookProductId, name: 'Bitcoin' });
}

export function answerMarkets(backend: FakeBackend, ...markets: FoundMarket[]): void {
  backend.on('GET /markets', () => json({ markets }));
}
