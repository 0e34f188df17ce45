/** Which records are public by now, of each kind of market: the rule of domain/record/ledger/reveal.ts with this server's clocks. */
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { type RevealBounds, revealBounds } from '#domain/record/ledger/reveal.ts';
import type { Clock } from '#domain/time/clock.ts';

export type Reveal = (market: MarketKind) => RevealBounds;

export interface RevealDeps {
  /** Ours, by which records are issued. */
  clock: Clock;
  marketClock: Clock;
  /** Of a symbol, as it is shown now: where recordings are played, some are simulated. */
  kindOf(symbol: MarketSymbol): MarketKind;
}

export function openReveal({ clock, marketClock, kindOf }: RevealDeps): Reveal {
  return (market) => {
    const isRunning = SYMBOLS.some((symbol) => kindOf(symbol) === market);
    return revealBounds({ nowMs: clock.nowMs(), marketNowMs: isRunning ? marketClock.nowMs() : null });
  };
}
