/** Whoever reads the list has seen its newest published post. Specification 2, section 4.7. */
import { useEffect } from 'react';
import { CHANGELOG_MESSAGES, type ChangelogPost } from '#domain/community/changelog.ts';
import { reportError } from '../../../platform/error-log.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { isPublished, tellSeen } from './seen.ts';
import { writeSeen } from './seen-api.ts';

/**
 * @param posts   as the server has them now, newest first; null while they are not known
 * @param userId  null: a visitor, for whom nothing is written
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
