/** Marks widgets whose data isn't from the live market; renders nothing if it is, or until known. */
import type { MarketKind } from '#domain/market/symbols.ts';
import { Badge } from '../ui/layout/badge.tsx';

const WORDS = {
  replayed: 'Recorded candles, played again.',
  simulated: 'Made-up figures of a simulated market.',
} as const;

export function MarketKindBadge({ kind }: { kind: MarketKind | null }) {
  if (kind === null || kind === 'live') return null;
  return (
    <Badge tone="warning" title={WORDS[kind]}>
      {kind}
    </Badge>
  );
}
