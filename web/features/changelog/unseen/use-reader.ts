import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CHANGELOG_MESSAGES, type ChangelogPost } from '#domain/community/changelog.ts';
import { reportError } from '../../../platform/error-log.ts';
import { profileQuery } from '../../../session/profile-query.ts';
import { useSession } from '../../../session/session.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { announceSeen, isPublished } from './seen.ts';
import { writeSeen } from './seen-api.ts';

export interface Reader {
  /** False until the session and the role are known. */
  isKnown: boolean;
  /** Null: a visitor. */
  userId: string | null;
  /** Controls what the page offers; the database enforces it. */
  isAdmin: boolean;
}

export function useReader(): Reader {
  const { initialized, user } = useSession();
  const { data, isPending } = useQuery(profileQuery(user));
  return {
    isKnown: initialized && (user === null || !isPending),
    userId: user?.id ?? null,
    isAdmin: user !== null && data?.role === 'admin',
  };
}

/**
 * Marks the newest published post as seen. @param posts  newest first; null until loaded  @param userId  null: a
 * visitor
 */
export function useMarkSeen(posts: readonly ChangelogPost[] | null, userId: string | null): void {
  const newest = posts?.find((post) => isPublished(post, Date.now()));
  const id = newest?.id;
  const publishedAt = newest?.published_at;
  useEffect(() => {
    if (id == null || publishedAt == null) return;
    const post = { id, published_at: publishedAt };
    announceSeen(userId, post);
    if (userId === null) return;
    writeSeen(userId, post).catch((error: unknown) => {
      reportError(error, { where: 'changelog read state' });
      toast.error(CHANGELOG_MESSAGES.seenFailed);
    });
  }, [id, publishedAt, userId]);
}
