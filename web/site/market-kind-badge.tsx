/** Says that what a widget draws is not the live market; nothing where it is, or while that is not known. */
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
