/** Marks the newest published post as seen once the list is shown. */
import { useEffect } from 'react';
import { CHANGELOG_MESSAGES, type ChangelogPost } from '#domain/community/changelog.ts';
import { reportError } from '../../../platform/error-log.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { isPublished, tellSeen } from './seen.ts';
import { writeSeen } from './seen-api.ts';

/**
 * @param posts   the server's current list, newest first; null until loaded
 * @param userId  null: a visitor, for whom nothing is stored
 */
export function useMarkSeen(posts: readonly ChangelogPost[] | null, userId: string | null): void {
  const newest = posts?.find((post) => isPublished(post, Date.now()));
  const id = newest?.id;
  const publishedAt = newest?.published_at;
  useEffect(() => {
    if (id == null || publishedAt == null) return;
    const post = { id, published_at: publishedAt };
    tellSeen(userId, post);
    if (userId === null) return;
    writeSeen(userId, post).catch((error: unknown) => {
      reportError(error, { where: 'changelog read state' });
      toast.error(CHANGELOG_MESSAGES.seenFailed);
    });
  }, [id, publishedAt, userId]);
}
