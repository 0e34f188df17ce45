import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangelogPost, POSTS_PER_PAGE } from '#domain/community/changelog.ts';
import { fetchPosts } from './changelog-api.ts';

export interface PostsState {
  status: 'loading' | 'failed' | 'ready';
  /** Without duplicates: a new post shifts all others by one. */
  posts: ChangelogPost[];
  /** Post ids by page; each page's likes are one request. */
  pages: string[][];
  total: number;
  hasMore: boolean;
  isLoadingMore: boolean;
  isRetrying: boolean;
  /** The list is loaded, but its next page or a refresh failed. */
  hasFailedSince: boolean;
  loadMore(): void;
  retry(): void;
  /** Call after a change made here. */
  reload(): Promise<void>;
}

/** @param userId  null: a visitor. @param isKnown  false: nothing is requested yet */
export function usePosts(userId: string | null, isKnown: boolean): PostsState {
  const client = useQueryClient();
  const queryKey = ['changelog', userId];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPosts(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.total > pages.length * POSTS_PER_PAGE ? pages.length : undefined),
    enabled: isKnown,
    staleTime: 0,
  });
  const pages = query.data?.pages ?? [];
  const seen = new Set<string>();
  const fresh = pages.map((page) => page.posts.filter(({ id }) => !seen.has(id) && seen.add(id)));
  return {
    status: query.data !== undefined ? 'ready' : query.isError ? 'failed' : 'loading',
    posts: fresh.flat(),
    pages: fresh.map((posts) => posts.map(({ id }) => id)),
    total: pages.at(-1)?.total ?? 0,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    isRetrying: query.isFetching,
    hasFailedSince: query.data !== undefined && query.isError,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
    reload: () => client.invalidateQueries({ queryKey }),
  };
}
