/**
 * The admin's tools above the list: a note on their rights, the editor of a new post, and the box for a quick update.
 */
import { CHANGELOG_MESSAGES } from '#domain/community/changelog.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { createPost } from '../posts/changelog-api.ts';
import { type Draft, draftKey, useDraft } from './drafts.ts';
import { PostEditor } from './post-editor.tsx';
import styles from './post-tools.module.css';
import { QuickUpdate } from './quick-update.tsx';

export interface PostToolsProps {
  userId: string;
  /** Number of rescued edits: each adds the text of a deleted post to the editor. */
  rescuedCount: number;
  onPosted: () => Promise<void>;
}

export function PostTools({ userId, rescuedCount, onPosted }: PostToolsProps) {
  const draft = useDraft(draftKey(userId, 'new'), '');
  const quick = useDraft(draftKey(userId, 'quick'), '');
  const post = (from: Draft, failed: string) => async (content: string) => {
    await createPost(content, userId, failed);
    from.forget();
    toast.success('Post published');
    await onPosted();
  };
  return (
    <div className={styles.desk}>
      <Notice title="Admin controls" className={styles.note}>
        <p>
          What you post is public at once, here and in the feed. You can edit and delete every post. Drafts are kept in
          this tab until they are saved.
        </p>
      </Notice>
      <Panel heading="New post">
        {rescuedCount > 0 && draft.text !== '' && (
          <Notice tone="warning" title="That post was deleted meanwhile." className={styles.rescued}>
            <p>Your changes could not be saved. Your text is kept here: Save posts it anew.</p>
          </Notice>
        )}
        <PostEditor
          key={rescuedCount}
          draft={draft}
          isFocused={rescuedCount > 0}
          onSave={post(draft, CHANGELOG_MESSAGES.saveFailed)}
        />
      </Panel>
      <QuickUpdate draft={quick} onPost={post(quick, CHANGELOG_MESSAGES.postFailed)} />
    </div>
  );
}
