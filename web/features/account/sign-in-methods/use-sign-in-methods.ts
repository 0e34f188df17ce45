import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { queryClient } from '../../../platform/query-client.ts';
import { isArriving, linkAnswerOf } from '../../../session/link-arrival.ts';
import { type LinkableProvider, linkReturn } from '../../../session/link-targets.ts';
import { fetchSignInMethods, forgetBegunLink } from './sign-in-methods-api.ts';

export function useSignInMethods(userId: string) {
  const key = ['sign-in-methods', userId];
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: fetchSignInMethods,
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  });
  return {
    methods: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
    invalidate: () => queryClient.invalidateQueries({ queryKey: key }),
  };
}

export interface LinkReturn {
  provider: LinkableProvider;
  /** The `error_code` with which the provider's page returned; null if it linked. */
  refusal: string | null;
}

/** What linking at a provider led to, taken out of the URL; null on any other visit. */
export function useLinkReturn(): LinkReturn | null {
  const location = useLocation();
  const navigate = useNavigate();
  const [returned, setReturned] = useState<LinkReturn | null>(null);
  useEffect(() => {
    const provider = linkReturn(location);
    if (provider === null || isArriving(location)) return;
    forgetBegunLink();
    const answer = linkAnswerOf(location.state);
    setReturned({ provider, refusal: answer?.kind === 'refused' ? answer.code : null });
    void navigate({ pathname: location.pathname, hash: location.hash }, { replace: true, preventScrollReset: true });
  }, [location, navigate]);
  return returned;
}
