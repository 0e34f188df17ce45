/** Marks every price as test money: with the sandbox, and in the provider's own test mode. */
import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { publicConfig } from '../platform/config.ts';
import { Badge } from '../ui/layout/badge.tsx';

type PaymentsKind = PublicConfig['payments'];

const TITLES: Readonly<Partial<Record<PaymentsKind, string>>> = {
  sandbox: 'A stand-in takes the payments: only test cards work, and nothing is charged.',
  test: 'The payment provider is in its test mode: only test cards work, and nothing is charged.',
};

/** Null until known. */
export function usePaymentsKind(): PaymentsKind | null {
  const config = useQuery({ queryKey: ['config'], queryFn: publicConfig, staleTime: Number.POSITIVE_INFINITY });
  return config.data?.payments ?? null;
}

/** Renders nothing for real payments, if nothing can be bought, or until known. */
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
