/** A widget's news: the newest, the last ones while a refresh fails, or the reason why there are none. */
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { type Article, fetchArticles, fetchHeadlines, type Headline } from './news-api.ts';

/** The server polls its feeds every ten minutes. */
const REFRESH_MS = 300_000;
/** A server that has just started has its first articles within seconds. */
const FIRST_NEWS_MS = 10_000;
const CLOCK_MS = 30_000;

export interface NewsState<T extends Headline> {
  /** `data` is null until the first answer. */
  known: LastData<readonly T[]>;
  nowMs: number;
}

export function useHeadlines(): NewsState<Headline> {
  return useNews('headlines', fetchHeadlines);
}

/** Only for signed-in users: the server refuses visitors. */
export function useArticles(): NewsState<Article> {
  return useNews('articles', fetchArticles);
}

function useNews<T extends Headline>(
  which: string,
  fetch: (signal: AbortSignal) => Promise<readonly T[]>,
): NewsState<T> {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['news', which],
    queryFn: ({ signal }) => fetch(signal),
    refetchInterval: ({ state }) => (state.data?.length === 0 ? FIRST_NEWS_MS : REFRESH_MS),
  });
  return { known: useLastData(query, REFRESH_MS, nowMs), nowMs };
}
