import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { type ReactNode, type Ref, useId, useRef, useState } from 'react';
import type { ChangelogPost } from '#domain/community/changelog.ts';
import { zonedDay, zonedSecond } from '#domain/format/zoned-time.ts';
import { toEpochMs } from '#domain/time/epoch.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { DeletePost } from '../editing/delete-post.tsx';
import { draftKey, draftOf } from '../editing/drafts.ts';
import { EditPost, type PostAdmin } from '../editing/edit-post.tsx';
import { isPublished } from '../unseen/seen.ts';
import type { PostLikes } from './changelog-api.ts';
import { Markdown } from './lazy-markdown.tsx';
import { LikeButton } from './like-button.tsx';
import styles from './post-article.module.css';

export interface PostArticleProps {
  post: ChangelogPost;
  likes: PostLikes | null;
  onToggleLike: () => void;
  /** Null unless the user is an admin. */
  admin: PostAdmin | null;
}

export function PostArticle({ post, likes, onToggleLike, admin }: PostArticleProps) {
  const headingId = useId();
  const isVisible = isPublished(post, Date.now());
  // Reopens the editor when a draft was left unsent.
  const [isEditing, setEditing] = useState(() => admin !== null && draftOf(draftKey(admin.userId, post.id)) !== null);
  const edit = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    // The form that had the focus was removed.
    requestAnimationFrame(() => edit.current?.focus());
  };
  const isEdited = isEditing && admin !== null;
  return (
    <article aria-labelledby={headingId} className={styles.post}>
      <header className={styles.head}>
        <h2 id={headingId} className={styles.day}>
          <PostTime time={post.published_at ?? post.created_at} />
        </h2>
        {!isVisible && <Badge tone="warning">{post.published_at === null ? 'Draft' : 'Scheduled'}</Badge>}
        {post.updated_at !== post.created_at && (
          <span className="muted size-12">
            <PostTime time={post.updated_at}>edited</PostTime>
          </span>
        )}
      </header>
      <div className="grid one-column gap-4 min-width-0">
        {isEdited ? <EditPost post={post} admin={admin} onClose={close} /> : <Markdown content={post.content} />}
        <footer className={styles.foot}>
          {isVisible && <LikeButton likes={likes} describedBy={headingId} onToggle={onToggleLike} />}
          {admin !== null && !isEditing && (
            <PostActions ref={edit} post={post} admin={admin} describedBy={headingId} onEdit={() => setEditing(true)} />
          )}
        </footer>
      </div>
    </article>
  );
}

interface PostActionsProps {
  /** The Edit button, which takes the focus after editing. */
  ref: Ref<HTMLButtonElement>;
  post: ChangelogPost;
  admin: PostAdmin;
  describedBy: string;
  onEdit: () => void;
}

function PostActions({ ref, post, admin, describedBy, onEdit }: PostActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div className={styles.actions}>
      <Button
        ref={ref}
        size="small"
        variant="quiet"
        aria-describedby={describedBy}
        icon={<Pencil size={14} aria-hidden="true" />}
        onClick={onEdit}
      >
        Edit
      </Button>
      <Button
        size="small"
        variant="quiet"
        aria-describedby={describedBy}
        icon={<Trash2 size={14} aria-hidden="true" />}
        onClick={() => setDeleting(true)}
      >
        Delete
      </Button>
      <DeletePost post={post} isOpen={isDeleting} onClose={() => setDeleting(false)} onDeleted={admin.onDeleted} />
    </div>
  );
}

interface PostTimeProps {
  /** ISO 8601; nothing shows for any other text. */
  time: string;
  children?: ReactNode;
}

/** A post's day in the viewer's zone, with the exact time on hover and focus. */
function PostTime({ time, children }: PostTimeProps) {
  const { zone } = useTimeZone();
  const timeMs = toEpochMs(time);
  if (timeMs === null) return null;
  const exact = zonedSecond(timeMs, zone);
  return (
    <time
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus too
      tabIndex={0}
      className={styles.time}
      dateTime={new Date(timeMs).toISOString()}
      title={exact}
      data-exact={exact}
    >
      {children ?? zonedDay(timeMs, zone)}
    </time>
  );
}
