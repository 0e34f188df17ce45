import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  describeRefusal,
  nextVoteMs,
  type OwnVote,
  upPercent,
  VOTE_MESSAGES,
  type VoteDay,
  type VoteDirection,
} from '#domain/community/vote.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedMinute, zonedShortDay, zonedWeekday } from '#domain/format/zoned-time.ts';
import type { SharePoint } from '../../charts/plots/overlay-chart.tsx';
import { useSession } from '../../session/session.ts';
import { currentTimeZone, useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { toast } from '../../ui/overlay/toast.ts';
import {
  areVotesSamples,
  fetchOwnVote,
  fetchPriceHours,
  fetchVoteDays,
  fetchVoteStats,
  type PriceHours,
  submitVote,
  VoteRefused,
} from './sentiment-api.ts';

const REFRESH_MS = 240_000;
const CLOCK_MS = 30_000;

export type SentimentState = ReturnType<typeof useSentiment>;

export function useSentiment() {
  const { initialized, user } = useSession();
  const { zone } = useTimeZone();
  const nowMs = useNow(CLOCK_MS);
  const stats = useQuery({
    queryKey: ['votes', 'stats'],
    queryFn: ({ signal }) => fetchVoteStats(signal),
    refetchInterval: REFRESH_MS,
  });
  const days = useQuery({
    queryKey: ['votes', 'days'],
    queryFn: ({ signal }) => fetchVoteDays(signal),
    refetchInterval: REFRESH_MS,
  });
  const price = useQuery({
    queryKey: ['btc-hours'],
    queryFn: ({ signal }) => fetchPriceHours(signal),
    refetchInterval: REFRESH_MS,
  });
  const samples = useQuery({ queryKey: ['votes', 'samples'], queryFn: areVotesSamples });
  useFailureToast(stats);
  useFailureToast(days);
  useFailureToast(price);
  const { wait, ...own } = useOwnVote(user?.id ?? null, nowMs);
  return {
    stats,
    days,
    price,
    nowMs,
    isSample: samples.data === true,
    ...own,
    /** When the next vote is allowed; null if it is allowed now, as far as known. */
    nextVote: wait === null ? null : timeWords(wait.nextMs, zone),
    /** False until the session is known. */
    mayVote: initialized,
  };
}

/** A fixed id: a repeated failure shows one toast. */
function useFailureToast({ error }: UseQueryResult): void {
  const words = error?.message ?? null;
  useEffect(() => {
    if (words !== null) toast.error(words, { id: words });
  }, [words]);
}

/** @param userId  null for a visitor, whose vote leads to sign-in and back here */
function useOwnVote(userId: string | null, nowMs: number) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  /** From a refusal; applies to the user who was refused. */
  const [refused, setRefused] = useState<{ userId: string | null; nextMs: number | null } | null>(null);
  const queryKey = ['votes', 'own', userId];
  // A failure is not shown: only the button's highlight is lost, and the server checks the next vote anyway.
  const own = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchOwnVote(signal),
    enabled: userId !== null,
  });
  const toSignIn = () => void navigate(`/auth/signin?next=${encodeURIComponent(pathname + search + hash)}`);

  const submission = useMutation({
    mutationFn: submitVote,
    onSuccess: (vote: OwnVote | null) => {
      client.setQueryData(queryKey, vote);
      setRefused(null);
      toast.success(VOTE_MESSAGES.recorded);
      for (const key of ['stats', 'days']) void client.invalidateQueries({ queryKey: ['votes', key] });
    },
    onError: (error) => {
      const { refusal, isSignedOut } =
        error instanceof VoteRefused ? error : new VoteRefused({ message: '', details: null }, 0);
      if (isSignedOut) return toSignIn();
      const nextMs = nextVoteMs(refusal);
      if (nextMs === undefined) return toast.error(describeRefusal(refusal));
      setRefused({ userId, nextMs });
      // The user may have voted in another tab.
      void client.invalidateQueries({ queryKey });
      return toast.error(`You can vote again at ${timeWords(nextMs, currentTimeZone().zone)}`);
    },
  });

  const current = own.data != null && nowMs < own.data.nextMs ? own.data : null;
  const wait = current ?? (refused?.userId === userId ? refused : null);
  return {
    /** Highlighted immediately, and reset if the vote was refused. */
    chosen: submission.isPending ? submission.variables : (current?.direction ?? null),
    isSubmitting: submission.isPending,
    wait: wait !== null && (wait.nextMs === null || wait.nextMs > nowMs) ? wait : null,
    vote: (direction: VoteDirection) => {
      if (userId === null) toSignIn();
      else if (!submission.isPending) submission.mutate(direction);
    },
  };
}

function timeWords(timeMs: number | null, zone: string): string {
  return timeMs === null ? 'later' : zonedMinute(timeMs, zone);
}

const DAY_S = 86_400;

export interface History {
  points: SharePoint[];
  overlay: PriceHours['closes'];
  fromS: number;
  toS: number;
}

/** @param days  oldest first; the last one is today, which is not over */
export function historyOf(days: readonly VoteDay[], closes: PriceHours['closes'], nowMs: number): History {
  const nowS = nowMs / 1000;
  const points = days.map((day, i): SharePoint => {
    const { fromS } = day;
    const isOpen = i === days.length - 1;
    // Early in the day today's point would be at the edge, so it is at least an hour in.
    const endS = isOpen ? Math.min(fromS + DAY_S, Math.max(nowS, fromS + 7200)) : fromS + DAY_S;
    const share = upPercent(day);
    const price = closes.findLast(({ timeS }) => timeS >= fromS && timeS < fromS + DAY_S);
    const told = [
      `${zonedWeekday(fromS * 1000, 'UTC')} ${zonedShortDay(fromS * 1000, 'UTC')}${isOpen ? ', unfinished' : ''}: `,
      share === null ? 'no votes' : `${formatPrice(share, 1)} % up, ▲ ${day.up} ▼ ${day.down}`,
      price === undefined ? '' : ` · BTC ${formatPrice(price.value, 0)}`,
    ];
    return {
      timeS: (fromS + endS) / 2,
      share,
      label: zonedWeekday(fromS * 1000, 'UTC'),
      words: told.join(''),
    };
  });
  const fromS = days[0]?.fromS ?? nowS;
  const toS = Math.max(nowS, (days.at(-1)?.fromS ?? nowS) + 7200);
  return { points, overlay: closes.filter(({ timeS }) => timeS >= fromS && timeS <= toS), fromS, toS };
}

export function historyWords({ points, overlay }: History): string {
  const days = points.map(({ words }) => words).join('; ');
  const [first, last] = [overlay[0], overlay.at(-1)];
  const price =
    first === undefined || last === undefined
      ? 'Without the price of BTC.'
      : `BTC came from ${formatPrice(first.value, 0)} to ${formatPrice(last.value, 0)} US dollars.`;
  return `Votes of ${points.length} days: ${days}. ${price}`;
}

export function priceWords(price: PriceHours | undefined): string {
  if (price === undefined) return 'BTC price';
  if (price.closes.length === 0) return 'No price of BTC.';
  return price.attribution === null ? 'BTC price, hourly.' : `BTC price, hourly: ${price.attribution}.`;
}
