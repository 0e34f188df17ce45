/** The editor in place of a post. Leaving it with changes needs a confirmation. */
import { useState } from 'react';
import type { ChangelogPost } from '#domain/community/changelog.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { changePost } from '../posts/changelog-api.ts';
import { draftKey, useDraft } from './drafts.ts';
import { PostEditor } from './post-editor.tsx';

export interface PostAdmin {
  userId: string;
  onChanged: () => Promise<void>;
  onDeleted: () => Promise<void>;
  /** The post was deleted before its edit was saved: the text moves to a new post. */
  onRescue: (postId: string, text: string) => Promise<void>;
}

export interface EditPostProps {
  post: ChangelogPost;
  admin: PostAdmin;
  onClose: () => void;
}

export function EditPost({ post, admin, onClose }: EditPostProps) {
  const draft = useDraft(draftKey(admin.userId, post.id), post.content);
  const [isLeaving, setLeaving] = useState(false);
  const save = async (content: string): Promise<void> => {
    if (!(await changePost(post.id, content))) {
      await admin.onRescue(post.id, content);
      return;
    }
    toast.success('Post saved');
    await admin.onChanged();
    draft.forget();
    onClose();
  };
  const discard = () => {
    draft.forget();
    onClose();
  };
  return (
    <>
      <PostEditor
        draft={draft}
        isFocused
        onSave={save}
        beside={<Button onClick={() => (draft.isChanged ? setLeaving(true) : onClose())}>Cancel</Button>}
      />
      <ConfirmDialog
        isOpen={isLeaving}
        heading="Discard your changes?"
        verb="Discard"
        cancelLabel="Keep editing"
        onConfirm={discard}
        onClose={() => setLeaving(false)}
      >
        <p>The post stays as it is.</p>
      </ConfirmDialog>
    </>
  );
}
