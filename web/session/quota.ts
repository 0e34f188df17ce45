/** Remaining predictions as counted by the server: one query per user, shared by every page that shows them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Quota, quotaAnswerSchema, readQuota } from '#domain/forecast/quota.ts';
import { CallError, refusalIn } from '../platform/calls/call-error.ts';
import { callFunction } from '../platform/calls/functions.ts';
import { retryInterval } from '../platform/query-client.ts';

export interface QuotaState {
  /** Null while it loads, and when it could not be read: an unknown count is not zero. */
  quota: Quota | null;
  /** Why the last load failed, as a message for the user. It is loaded again until it succeeds. */
  error: Error | null;
  /** Another attempt runs after a failed one. */
  isRefetching: boolean;
  /** Refetches; if it is not mounted, it refetches on the next mount. */
  refetch(): void;
}

/** @param userId  null if no user is known, and for admins, who have no limit */
export function useQuota(userId: string | null): QuotaState {
  const client = useQueryClient();
  const queryKey = ['quota', userId];
  const { data, error, isFetching } = useQuery({
    queryKey,
    queryFn: fetchQuota,
    enabled: userId !== null,
    retry: false,
    // Without data the library would forget the failure while it tries again.
    initialData: null,
    initialDataUpdatedAt: 0,
    refetchInterval: retryInterval,
    refetchOnMount: 'always',
  });
  return {
    quota: error === null ? data : null,
    isRefetching: isFetching && error !== null,
    error,
    refetch: () => void client.invalidateQueries({ queryKey }),
  };
}

/** @throws Error with the server's message, or with 'Failed to load quota' */
export async function fetchQuota(): Promise<Quota> {
  const answer = await callFunction('get-quota', null).catch(quotaFailure);
  const { success, data, error } = quotaAnswerSchema.safeParse(answer);
  if (success && data.ok) return readQuota(data);
  throw new Error(refusalIn(answer)?.message ?? QUOTA_FAILED, { cause: error });
}

const QUOTA_FAILED = 'Failed to load quota';

/** A refusal with a 4xx status has a message from the server; an unreachable or failing server has none. */
function quotaFailure(error: unknown): never {
  const hasMessage =
    error instanceof CallError && error.status >= 400 && error.status < 500 && error.code !== 'unknown';
  throw new Error(hasMessage ? error.message : QUOTA_FAILED, { cause: error });
}
