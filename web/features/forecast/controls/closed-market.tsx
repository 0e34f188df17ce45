/** For visitors: when a closed market opens, and the way to an alert, which needs an account. */
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { LinkButton } from '../../../ui/forms/button.tsx';
import styles from './closed-market.module.css';
import { openingText } from './opening-text.ts';

const STEP_MS = 15_000;

export function ClosedMarket({ symbol }: { symbol: MarketSymbol }) {
  const nowMs = useNow(STEP_MS);
  const { zone } = useTimeZone();
  if (isOpen(symbol.hours, nowMs / 1000)) return null;
  const back = `/kat?sym=${encodeURIComponent(symbol.label)}`;
  return (
    <span className={styles.closed} data-keep-clear>
      <span className="muted size-13">{openingText(symbol, nowMs, zone)}</span>
      <LinkButton to={`/auth/signin?next=${encodeURIComponent(back)}`}>Alert me at the open</LinkButton>
    </span>
  );
}
