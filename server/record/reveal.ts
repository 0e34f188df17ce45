/** Which records of each market kind are public by now: domain/record/ledger/reveal.ts with this server's clocks. */
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { type RevealBounds, revealBounds } from '#domain/record/ledger/reveal.ts';
import type { Clock } from '#domain/time/clock.ts';

export type Reveal = (market: MarketKind) => RevealBounds;

export interface RevealDeps {
  /** Our own clock, which dates the records. */
  clock: Clock;
  marketClock: Clock;
  /** A symbol's kind as shown now: with replayed recordings some symbols are simulated. */
  kindOf(symbol: MarketSymbol): MarketKind;
}

export function openReveal({ clock, marketClock, kindOf }: RevealDeps): Reveal {
  return (market) => {
    const isRunning = SYMBOLS.some((symbol) => kindOf(symbol) === market);
    return revealBounds({ nowMs: clock.nowMs(), marketNowMs: isRunning ? marketClock.nowMs() : null });
  };
}
