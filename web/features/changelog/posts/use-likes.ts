/** Likes of the posts on the page, updated optimistically and reverted on failure. */
import { keepPreviousData, type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { CHANGELOG_MESSAGES } from '#domain/community/changelog.ts';
import { reportError } from '../../../platform/error-log.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { fetchLikes, type LikesByPost, type PostLikes, sendLike } from './changelog-api.ts';
import { LikeQueue } from './like-queue.ts';

export interface LikesState {
  of(postId: string): PostLikes | null;
  toggle(postId: string): void;
  hasFailed: boolean;
  isRetrying: boolean;
  retry(): void;
}

/** @param pages  post ids, one request per page. @param userId  null: a visitor, who is invited to sign in */
export function useLikes(pages: readonly (readonly string[])[], userId: string | null): LikesState {
  const client = useQueryClient();
  const queries = useQueries({
    queries: pages
      .filter((ids) => ids.length > 0)
      .map((ids) => ({
        queryKey: [...likesKey(userId), ...ids],
        queryFn: ({ signal }: { signal: AbortSignal }) => fetchLikes(ids, userId, signal),
        // While a new post shifts the others, their known likes stay.
        placeholderData: keepPreviousData,
      })),
  });
  const queue = useLikeQueue(client, userId);

  const of = (postId: string): PostLikes | null => {
    const known = knownOf(queries, postId);
    const wanted = queue.of(postId);
    if (known === null || wanted === undefined) return known;
    return { count: known.count + Number(wanted) - Number(known.isLiked), isLiked: wanted };
  };
  return {
    of,
    toggle: (postId) => {
      if (userId === null) {
        toast.error(CHANGELOG_MESSAGES.signInToLike, { id: 'sign-in-to-like' });
        return;
      }
      const known = knownOf(queries, postId);
      const shown = of(postId);
      if (known !== null && shown !== null) void queue.set(postId, !shown.isLiked, known.isLiked);
    },
    hasFailed: queries.some((query) => query.isError),
    isRetrying: queries.some((query) => query.isFetching),
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}

function useLikeQueue(client: QueryClient, userId: string | null): LikeQueue {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useMemo(() => {
    const key = likesKey(userId);
    return new LikeQueue({
      send: (postId, isLiked) => sendLike(postId, userId ?? '', isLiked),
      onSent: (postId, isLiked) => {
        client.setQueriesData<LikesByPost>({ queryKey: key }, (known) => withLike(known, postId, isLiked));
        // A request sent earlier may still return the older state.
        if (client.isFetching({ queryKey: key }) > 0) void client.invalidateQueries({ queryKey: key });
      },
      onFailed: (_postId, error) => {
        reportError(error, { where: 'changelog like' });
        if (isShown.current) toast.error(CHANGELOG_MESSAGES.likeFailed);
        // A request without an answer may have arrived anyway.
        void client.invalidateQueries({ queryKey: key });
      },
      onChange: draw,
    });
  }, [client, userId]);
}

function likesKey(userId: string | null): unknown[] {
  return ['changelog-likes', userId];
}

function knownOf(queries: readonly { data: LikesByPost | undefined }[], postId: string): PostLikes | null {
  for (const { data } of queries) {
    const likes = data?.get(postId);
    if (likes !== undefined) return likes;
  }
  return null;
}

function withLike(known: LikesByPost | undefined, postId: string, isLiked: boolean): LikesByPost | undefined {
  const before = known?.get(postId);
  if (known === undefined || before === undefined) return known;
  const count = before.count + Number(isLiked) - Number(before.isLiked);
  return new Map(known).set(postId, { count, isLiked });
}
