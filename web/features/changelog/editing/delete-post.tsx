import { useState } from 'react';
import { CHANGELOG_MESSAGES, type ChangelogPost } from '#domain/community/changelog.ts';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { deletePost } from '../posts/changelog-api.ts';

export interface DeletePostProps {
  post: ChangelogPost;
  isOpen: boolean;
  onClose: () => void;
  onDeleted: () => Promise<void>;
}

export function DeletePost({ post, isOpen, onClose, onDeleted }: DeletePostProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const close = () => {
    setFailure(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await deletePost(post.id);
      close();
      toast.success('Post deleted');
      await onDeleted();
    } catch (error) {
      setFailure((error instanceof Error && error.message) || CHANGELOG_MESSAGES.deleteFailed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      heading="Delete post"
      verb="Delete"
      isBusy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      <p>{CHANGELOG_MESSAGES.deleteQuestion}</p>
      <p className="muted">It will be deleted for everyone, with its likes. You can’t undo this.</p>
    </ConfirmDialog>
  );
}
