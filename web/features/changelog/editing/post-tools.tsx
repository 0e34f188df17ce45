import { useRef } from 'react';
import { CHANGELOG_MESSAGES } from '#domain/community/changelog.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import { createPost } from '../posts/changelog-api.ts';
import { draftKey, type TextDraft, useDraft } from './drafts.ts';
import { PostEditor, useSending } from './post-editor.tsx';
import styles from './post-tools.module.css';

export interface PostToolsProps {
  userId: string;
  /** Number of rescued edits: each adds the text of a deleted post to the editor. */
  rescuedCount: number;
  onPosted: () => Promise<void>;
}

export function PostTools({ userId, rescuedCount, onPosted }: PostToolsProps) {
  const draft = useDraft(draftKey(userId, 'new'), '');
  const quick = useDraft(draftKey(userId, 'quick'), '');
  const post = (from: TextDraft, failed: string) => async (content: string) => {
    await createPost(content, userId, failed);
    from.forget();
    toast.success('Post published');
    await onPosted();
  };
  return (
    <div className={styles.tools}>
      <Notice title="Admin controls" className={styles.note}>
        <p>
          Your posts are public immediately, here and in the feed. You can edit and delete every post. Drafts stay in
          this tab until you save them.
        </p>
      </Notice>
      <Panel heading="New post">
        {rescuedCount > 0 && draft.text !== '' && (
          <Notice tone="warning" title="That post has been deleted." className={styles.rescued}>
            <p>We couldn’t save your changes. Your text is still here. Save publishes it as a new post.</p>
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

interface QuickUpdateProps {
  draft: TextDraft;
  /** @throws Error with a message for users */
  onPost: (content: string) => Promise<void>;
}

function QuickUpdate({ draft, onPost }: QuickUpdateProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { quickUpdateRequired, postFailed } = CHANGELOG_MESSAGES;
  const form = useSending(draft.text, quickUpdateRequired, postFailed, onPost, area);
  return (
    <form noValidate aria-label="Short post" className={styles.form} onSubmit={form.onSubmit}>
      <TextArea
        ref={area}
        label="Quick update"
        help="A line or two, published immediately."
        rows={3}
        value={draft.text}
        error={form.fault}
        onChange={(event) => draft.change(event.target.value)}
      />
      {form.failure !== null && <Failure>{form.failure}</Failure>}
      <Button type="submit" isBusy={form.isBusy}>
        Post
      </Button>
    </form>
  );
}
