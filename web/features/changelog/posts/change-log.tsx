/** The change log: posts with their likes, newest published first, and the admin's tools to write them. */
import { Suspense, useEffect, useRef, useState } from 'react';
import { CHANGELOG_MESSAGES } from '#domain/community/changelog.ts';
import { Button, LinkButton } from '../../../ui/forms/button.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ReportedFailure } from '../../../ui/status/reported-failure.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { draftKey, draftOf, draftPlaces, storeDraft } from '../editing/drafts.ts';
import { PostTools } from '../editing/post-tools.tsx';
import { type Reader, useMarkSeen, useReader } from '../unseen/use-reader.ts';
import styles from './change-log.module.css';
import { loadMarkdown } from './lazy-markdown.tsx';
import { PostArticle } from './post-article.tsx';
import { useLikes } from './use-likes.ts';
import { type PostsState, usePosts } from './use-posts.ts';

export function ChangeLog() {
  const reader = useReader();
  const list = usePosts(reader.userId, reader.isKnown);
  useMarkSeen(list.status === 'ready' ? list.posts : null, reader.userId);
  useEffect(() => void loadMarkdown(), []);
  return (
    <div className={styles.log}>
      {list.status === 'loading' ? (
        <Waiting />
      ) : (
        <Suspense fallback={<Waiting />}>
          <Known key={reader.userId} reader={reader} list={list} />
        </Suspense>
      )}
    </div>
  );
}

/** Draft places that belong to no post. */
const OWN_PLACES = new Set(['new', 'quick']);

function Known({ reader, list }: { reader: Reader; list: PostsState }) {
  const { userId, isAdmin } = reader;
  const [rescuedCount, setRescuedCount] = useState(0);
  const posts = useRef<HTMLDivElement>(null);
  const rescue = (postId: string, text: string): void => {
    if (userId === null) return;
    const key = draftKey(userId, 'new');
    const other = draftOf(key);
    storeDraft(key, other === null ? text : `${other}\n\n${text}`);
    storeDraft(draftKey(userId, postId), null);
    setRescuedCount((count) => count + 1);
  };
  const isWhole = isAdmin && list.status === 'ready' && !list.hasMore;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another list arrives
  useEffect(() => {
    if (!isWhole || userId === null) return;
    for (const place of draftPlaces(userId)) {
      const isThere = OWN_PLACES.has(place) || list.posts.some(({ id }) => id === place);
      if (!isThere) rescue(place, draftOf(draftKey(userId, place)) ?? '');
    }
  }, [isWhole, userId, list.pages.flat().join()]);
  const onDeleted = async (): Promise<void> => {
    // The clicked button is about to be removed.
    posts.current?.focus({ preventScroll: true });
    await list.reload();
  };
  const onRescue = (postId: string, text: string): Promise<void> => {
    rescue(postId, text);
    return list.reload();
  };
  const admin = isAdmin && userId !== null ? { userId, onRescue, onDeleted, onChanged: list.reload } : null;
  return (
    <>
      {admin !== null && <PostTools userId={admin.userId} rescuedCount={rescuedCount} onPosted={list.reload} />}
      {/* biome-ignore lint/a11y/useSemanticElements: it takes the focus when one of its posts is deleted */}
      <div ref={posts} role="region" aria-label="Posts" tabIndex={-1} className={styles.posts}>
        <Posts reader={reader} list={list} admin={admin} />
      </div>
    </>
  );
}

interface PostsProps {
  reader: Reader;
  list: PostsState;
  admin: Parameters<typeof PostArticle>[0]['admin'];
}

function Posts({ reader, list, admin }: PostsProps) {
  const likes = useLikes(list.pages, reader.userId);
  const { posts, total, hasMore } = list;
  if (list.status === 'failed')
    return <ErrorState title={CHANGELOG_MESSAGES.postsFailed} onRetry={list.retry} isRetrying={list.isRetrying} />;
  if (posts.length === 0)
    return (
      <EmptyState
        title="No posts yet"
        text="New releases appear here, newest first."
        action={<LinkButton to="/kat">Open the chart</LinkButton>}
      />
    );
  return (
    <>
      {list.hasFailedSince && (
        <LoadFailure text={CHANGELOG_MESSAGES.postsFailed} isRetrying={list.isRetrying} onRetry={list.retry} />
      )}
      {likes.hasFailed && (
        <LoadFailure text={CHANGELOG_MESSAGES.likesFailed} isRetrying={likes.isRetrying} onRetry={likes.retry} />
      )}
      {posts.map((post) => (
        <PostArticle
          key={post.id}
          post={post}
          likes={likes.of(post.id)}
          onToggleLike={() => likes.toggle(post.id)}
          admin={admin}
        />
      ))}
      <More shown={posts.length} total={total} hasMore={hasMore} isBusy={list.isLoadingMore} onMore={list.loadMore} />
    </>
  );
}

interface LoadFailureProps {
  text: string;
  isRetrying: boolean;
  onRetry: () => void;
}

/** Shown beside the posts that did load. */
function LoadFailure({ text, isRetrying, onRetry }: LoadFailureProps) {
  return (
    <ReportedFailure as="div" className={styles.trouble}>
      <p>{text}</p>
      <Button size="small" isBusy={isRetrying} onClick={onRetry}>
        Retry
      </Button>
    </ReportedFailure>
  );
}

interface MoreProps {
  shown: number;
  total: number;
  hasMore: boolean;
  isBusy: boolean;
  onMore: () => void;
}

function More({ shown, total, hasMore, isBusy, onMore }: MoreProps) {
  const count = useRef<HTMLParagraphElement>(null);
  const hadMore = useRef(hasMore);
  useEffect(() => {
    const isRemoved = hadMore.current && !hasMore;
    hadMore.current = hasMore;
    // If the removed button had the focus, the text beside it takes over.
    if (isRemoved && document.activeElement === document.body) count.current?.focus({ preventScroll: true });
  }, [hasMore]);
  return (
    <div className={styles.more}>
      <p ref={count} role="status" tabIndex={-1} className="muted size-13">
        {`Showing ${shown} of ${Math.max(shown, total)}`}
      </p>
      {hasMore && (
        <Button isBusy={isBusy} onClick={onMore}>
          Load More
        </Button>
      )}
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" className="grid gap-6">
      <span className="visually-hidden">Loading posts…</span>
      {SKELETONS.map((name, index) => (
        <Skeleton key={name} className={styles.skeleton} needsScript={index === 0 ? 'The posts' : undefined} />
      ))}
    </div>
  );
}

const SKELETONS = ['first', 'second', 'third', 'fourth'];
