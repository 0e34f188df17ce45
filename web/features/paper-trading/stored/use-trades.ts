/** The closed trades of who is here, and what became of storing them. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { mergeTrades, type PaperTrade } from '#domain/paper-trading/paper-trade.ts';
import { useSession } from '../../../session/session.ts';
import { useMarketSource } from '../../../site/site-config.ts';
import { fetchTrades } from './account-trades-api.ts';
import { giveLocalTrades, tradesOf, useLocalTrades } from './local-trades.ts';
import { onSendChange, sendOutcome, sendTrades, startSending, tradesKey } from './send-trades.ts';

export interface TradesState {
  /** On the kind of market that the page shows, newest first. Those of this browser until the account's are loaded. */
  trades: readonly PaperTrade[];
  isSignedIn: boolean;
  isLoading: boolean;
  /** Message for users: why the account's could not be loaded. */
  failure: string | null;
  isRetrying: boolean;
  retry(): void;
  /** How many the account does not have yet, after a try that failed. */
  unsent: number;
  /** How many the account refuses. They stay in this browser. */
  refused: number;
  /** The browser refuses to store them. */
  isUnstored: boolean;
}

export function useTrades(): TradesState {
  const { initialized, user } = useSession();
  const userId = initialized ? (user?.id ?? null) : undefined;
  const local = useLocalTrades();
  const { hasFailed, refused } = useSyncExternalStore(onSendChange, sendOutcome, sendOutcome);
  const kind = useMarketSource()?.kind;
  const { data, error, isFetching, isPending, refetch } = useQuery({
    queryKey: tradesKey(userId ?? ''),
    queryFn: ({ signal }) => fetchTrades(signal),
    enabled: typeof userId === 'string',
    gcTime: Number.POSITIVE_INFINITY,
  });

  useEffect(() => {
    if (typeof userId !== 'string') return;
    giveLocalTrades(userId);
    return startSending(userId);
  }, [userId]);

  const own = useMemo(() => (userId === undefined ? [] : tradesOf(local, userId)), [local, userId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a trade that has just closed is sent
  useEffect(() => void sendTrades(), [own.length]);

  const trades = useMemo(
    () => mergeTrades(own, data ?? []).filter(({ marketKind }) => marketKind === kind),
    [own, data, kind],
  );
  const refusedCount = own.filter(({ id }) => refused.has(id)).length;
  const isSignedIn = typeof userId === 'string';
  return {
    trades,
    isSignedIn,
    isLoading: userId === undefined || (isSignedIn && isPending && error === null),
    failure: isSignedIn && data === undefined ? (error?.message ?? null) : null,
    isRetrying: isFetching && error !== null,
    retry: () => void refetch(),
    unsent: isSignedIn && hasFailed ? own.length - refusedCount : 0,
    refused: isSignedIn ? refusedCount : 0,
    isUnstored: local.isUnstored && own.length > 0,
  };
}
