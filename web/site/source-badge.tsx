/** Marks data that isn't from the site's own market, which the bar above each page names, and prices in test money. */
import type { PublicConfig } from '#domain/config/public-config.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { marketOf } from '#domain/site/environment.ts';
import { Badge } from '../ui/layout/badge.tsx';

const TITLES: Readonly<Record<MarketKind, string>> = {
  live: 'From the real service, on a site whose market is not the real one.',
  replayed: 'Recorded candles, replayed.',
  simulated: 'Generated figures from a simulated market.',
};

/** Renders nothing until the kind is known. The style sheet hides a badge that would repeat the bar. */
export function SourceBadge({ kind }: { kind: MarketKind | null }) {
  if (kind === null || (kind === 'live' && isLiveSite())) return null;
  return (
    <Badge tone={kind === 'live' ? 'up' : 'warning'} title={TITLES[kind]} data-source={kind}>
      {kind}
    </Badge>
  );
}

/** Only for data that a browser loaded, so there is a document. */
function isLiveSite(): boolean {
  return (marketOf(document.documentElement.dataset.environment) ?? 'live') === 'live';
}

/** Titles of payments without real money. */
const TEST_TITLES: Readonly<Partial<Record<PublicConfig['payments'], string>>> = {
  sandbox: 'Payments go to a sandbox: only test cards work, and nothing is charged.',
  test: 'The payment provider is in test mode: only test cards work, and nothing is charged.',
};

/** Renders nothing for real payments, if nothing can be bought, or until the kind is known. */
export function PaymentsBadge({ kind }: { kind: PublicConfig['payments'] | null }) {
  const title = kind === null ? undefined : TEST_TITLES[kind];
  if (title === undefined) return null;
  return (
    <Badge tone="warning" title={title}>
      Test payments – no real money
    </Badge>
  );
}
