/** Says wherever money is shown that none is paid: with the stand-in, and in the provider's own test mode. */
import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { publicConfig } from '../platform/config.ts';
import { Badge } from '../ui/layout/badge.tsx';

type PaymentsKind = PublicConfig['payments'];

const TITLES: Readonly<Partial<Record<PaymentsKind, string>>> = {
  sandbox: 'A stand-in takes the payments: only test cards work, and nothing is charged.',
  test: 'The payment provider is in its test mode: only test cards work, and nothing is charged.',
};

/** Null while it is not known. */
export function usePaymentsKind(): PaymentsKind | null {
  const config = useQuery({ queryKey: ['config'], queryFn: publicConfig, staleTime: Number.POSITIVE_INFINITY });
  return config.data?.payments ?? null;
}

/** Nothing where real money is paid, where nothing can be bought, or while that is not known. */
export function PaymentsKindBadge() {
  const kind = usePaymentsKind();
  const title = kind === null ? undefined : TITLES[kind];
  if (title === undefined) return null;
  return (
    <Badge tone="warning" title={title}>
      Test payments – no real money
    </Badge>
  );
}
