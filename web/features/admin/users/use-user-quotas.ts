/** Remaining quota of a list's users, requested after each load of the list. */
import { type QueryFunctionContext, useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Quota } from '#domain/forecast/quota.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { fetchUserQuotas, PAGE_ROWS } from '../admin-api.ts';

/** Users that were loaded together; `stamp` changes with each load. */
export interface QuotaGroup {
  name: string;
  stamp: number;
  ids: readonly string[];
}

export interface UserQuotas {
  /** Undefined until loaded. */
  of(id: string): Quota | undefined;
  hasFailed: boolean;
}

const KEY = ['admin', 'quotas'] as const;
/** Unused entries expire soon, because each load creates new ones. */
const KEPT_MS = 30_000;

export function useUserQuotas(groups: readonly QuotaGroup[]): UserQuotas {
  const kept = useRef<ReadonlyMap<string, Quota>>(NONE);
  const { quotas, failure } = useQueries({
    queries: groups.map(({ name, stamp, ids }) => ({
      queryKey: [...KEY, name, stamp],
      queryFn: (context: QueryFunctionContext) => loadQuotas(ids, context),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: KEPT_MS,
      networkMode: 'always' as const,
    })),
    combine: joinGroups,
  });
  const message = failure?.message ?? null;
  useEffect(() => {
    if (message !== null) toast.error(message);
  }, [message]);
  return useMemo(() => {
    // Figures of the previous load stay until the new ones arrive.
    const before = kept.current;
    if (quotas.size > 0) kept.current = quotas;
    return { of: (id) => quotas.get(id) ?? before.get(id), hasFailed: message !== null };
  }, [quotas, message]);
}

const NONE: ReadonlyMap<string, Quota> = new Map();

interface Answered {
  data: ReadonlyMap<string, Quota> | undefined;
  error: Error | null;
}

function joinGroups(groups: readonly Answered[]): { quotas: ReadonlyMap<string, Quota>; failure: Error | null } {
  const [only] = groups;
  const quotas = groups.length === 1 ? only?.data : new Map(groups.flatMap(({ data }) => [...(data ?? [])]));
  return { quotas: quotas ?? NONE, failure: groups.find(({ error }) => error !== null)?.error ?? null };
}

/** Loads one answer's worth of users at a time and shows each part as it arrives. */
async function loadQuotas(
  ids: readonly string[],
  { client, queryKey, signal }: QueryFunctionContext,
): Promise<ReadonlyMap<string, Quota>> {
  let known: ReadonlyMap<string, Quota> = NONE;
  for (let from = 0; from < ids.length; from += PAGE_ROWS) {
    const part = await fetchUserQuotas(ids.slice(from, from + PAGE_ROWS), signal);
    known = new Map([...known, ...part]);
    if (from + PAGE_ROWS < ids.length) client.setQueryData(queryKey, known);
  }
  return known;
}
