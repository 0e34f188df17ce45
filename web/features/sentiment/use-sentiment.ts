import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  describeRefusal,
  nextVoteMs,
  type OwnVote,
  VOTE_MESSAGES,
  type VoteDirection,
} from '#domain/community/vote.ts';
import { zonedRecent } from '#domain/format/zoned-time.ts';
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
    nextVote: wait === null ? null : formatTime(wait.nextMs, zone),
    /** False until the session is known. */
    mayVote: initialized,
  };
}

/** A fixed id: a repeated failure shows one toast. */
function useFailureToast({ error }: UseQueryResult): void {
  const message = error?.message ?? null;
  useEffect(() => {
    if (message !== null) toast.error(message, { id: message });
  }, [message]);
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
      return toast.error(`You can vote again at ${formatTime(nextMs, currentTimeZone().zone)}`);
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

function formatTime(timeMs: number | null, zone: string): string {
  return timeMs === null ? 'later' : zonedRecent(timeMs, Date.now(), zone);
}
