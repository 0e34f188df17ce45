/** 'Remove photo', with a confirmation: the picture itself is deleted. */
import { useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { ReportedFailure } from '../../../ui/status/reported-failure.tsx';
import { keepProfile } from '../profile/use-profile.ts';
import { removeAvatar } from './avatar-api.ts';

export function AvatarRemoval({ userId, url }: { userId: string; url: string }) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<string | null>(null);

  const remove = async () => {
    setBusy(true);
    setTold(null);
    const removed = await removeAvatar(userId, url);
    setBusy(false);
    if (removed.kind === 'saved') {
      setAsking(false);
      keepProfile(userId, removed.profile);
      toast.success('Photo removed');
    } else if (removed.kind === 'failed') {
      setTold(removed.told);
      toast.error(removed.toast);
    }
  };

  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Remove photo
      </Button>
      <Dialog
        isOpen={isAsking}
        heading="Remove your photo?"
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button variant="danger" isBusy={isBusy} onClick={() => void remove()}>
              Remove
            </Button>
          </>
        }
      >
        <p>The picture is deleted. Your initial stands in its place.</p>
        {told !== null && <ReportedFailure>{told}</ReportedFailure>}
      </Dialog>
    </>
  );
}
