/** Marks data that isn't from the live market, and prices that are test money. */
import type { PublicConfig } from '#domain/config/public-config.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { Badge } from '../ui/layout/badge.tsx';

type SourceKind = MarketKind | PublicConfig['payments'];

const TEST_PAYMENTS = 'Test payments – no real money';

/** Label and title of each source that needs a badge. */
const BADGES: Readonly<Partial<Record<SourceKind, readonly [string, string]>>> = {
  replayed: ['replayed', 'Recorded candles, replayed.'],
  simulated: ['simulated', 'Generated figures from a simulated market.'],
  sandbox: [TEST_PAYMENTS, 'Payments go to a sandbox: only test cards work, and nothing is charged.'],
  test: [TEST_PAYMENTS, 'The payment provider is in test mode: only test cards work, and nothing is charged.'],
};

/** Renders nothing for a live source, if nothing can be bought, or until the kind is known. */
export function SourceBadge({ kind }: { kind: SourceKind | null }) {
  const badge = kind === null ? undefined : BADGES[kind];
  if (badge === undefined) return null;
  return (
    <Badge tone="warning" title={badge[1]}>
      {badge[0]}
    </Badge>
  );
}
