/** The profile photo: choose or drop, crop, upload, remove. The cropper's code loads with the first picture. */
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Upload from 'lucide-react/icons/upload';
import { type ChangeEvent, type ComponentType, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { NOT_AN_IMAGE, TOO_LARGE } from '#domain/account/avatar.ts';
import { reportError } from '../../../platform/error-log.ts';
import type { Profile } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Avatar } from '../../../ui/layout/avatar.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { ReportedFailure } from '../../../ui/status/reported-failure.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { cacheProfile } from '../profile/use-profile.ts';
import { removeAvatar } from './avatar-api.ts';
import type { AvatarCropDialogProps } from './avatar-crop-dialog.tsx';
import { type ChosenPicture, readPicture } from './avatar-file.ts';
import styles from './avatar-panel.module.css';

/** Short texts for toasts (R-ACCOUNT-11); longer messages appear only at the button. */
const TOASTED: ReadonlySet<string> = new Set([NOT_AN_IMAGE, TOO_LARGE]);

const NOT_LOADED = 'We couldn’t load this part of the page. Check your connection, reload the page and try again.';

interface Chosen {
  picture: ChosenPicture;
  CropDialog: ComponentType<AvatarCropDialogProps>;
}

interface AvatarPanelProps {
  user: SessionUser;
  profile: Profile;
  loadCropDialog?: () => Promise<ComponentType<AvatarCropDialogProps>>;
}

export function AvatarPanel({ user, profile, loadCropDialog = importCropDialog }: AvatarPanelProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const [inputId, noteId] = [useId(), useId()];
  useEffect(() => {
    if (chosen !== null) return () => URL.revokeObjectURL(chosen.picture.url);
  }, [chosen]);
  usePreventFileDrop();

  const take = async (file: File | undefined) => {
    if (file === undefined || isReading) return;
    setMessage(null);
    setReading(true);
    const [read, CropDialog] = await Promise.all([readPicture(file), orNull(loadCropDialog)]);
    setReading(false);
    if ('message' in read) {
      setMessage(read.message);
      if (TOASTED.has(read.message)) toast.error(read.message);
    } else if (CropDialog === null) {
      setMessage(NOT_LOADED);
      URL.revokeObjectURL(read.url);
    } else setChosen({ picture: read, CropDialog });
  };

  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    void take(event.target.files?.[0]);
    // Choosing the same file again must fire a change event too.
    event.target.value = '';
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  const onStored = (stored: Profile) => {
    setChosen(null);
    setMessage(null);
    cacheProfile(user.id, stored);
    toast.success('Avatar updated');
    input.current?.focus();
  };

  const name = profile.full_name ?? user.fullName ?? user.email ?? '';
  return (
    <Panel heading="Photo">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a drop is a second way to do what the button does */}
      <div
        className={classNames(styles.photo, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Avatar url={profile.avatar_url} name={name} size="large" />
        <div className={styles.controls}>
          <div className={styles.buttons}>
            <input
              ref={input}
              id={inputId}
              type="file"
              accept="image/*"
              className={classNames('visually-hidden', styles.input)}
              aria-describedby={noteId}
              aria-invalid={message !== null}
              onChange={onChange}
            />
            <label htmlFor={inputId} className={styles.choose} aria-busy={isReading}>
              <Upload size={16} aria-hidden="true" />
              {profile.avatar_url === null ? 'Choose a photo' : 'Change photo'}
            </label>
            {profile.avatar_url !== null && <AvatarRemoval userId={user.id} url={profile.avatar_url} />}
          </div>
          <p
            id={noteId}
            className={message === null ? styles.help : styles.error}
            role={message === null ? undefined : 'alert'}
          >
            {message !== null && <CircleAlert size={15} aria-hidden="true" />}
            <span>{message ?? 'JPEG, PNG, WebP, GIF or AVIF, up to 5 MB. You can also drop it here.'}</span>
          </p>
        </div>
      </div>
      {chosen !== null && (
        <chosen.CropDialog
          userId={user.id}
          picture={chosen.picture}
          replaced={profile.avatar_url}
          onStored={onStored}
          onClose={() => {
            setChosen(null);
            input.current?.focus();
          }}
        />
      )}
    </Panel>
  );
}

async function importCropDialog(): Promise<ComponentType<AvatarCropDialogProps>> {
  return (await import('./avatar-crop-dialog.tsx')).AvatarCropDialog;
}

/** Null when its code does not load: the page must stay, with everything typed on it. */
async function orNull(load: typeof importCropDialog): Promise<ComponentType<AvatarCropDialogProps> | null> {
  try {
    return await load();
  } catch (error) {
    reportError(error, { where: 'crop dialog' });
    return null;
  }
}

/** Otherwise the browser would replace the page with a file dropped outside the panel. */
function usePreventFileDrop(): void {
  useEffect(() => {
    const preventDrop = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    window.addEventListener('dragover', preventDrop);
    window.addEventListener('drop', preventDrop);
    return () => {
      window.removeEventListener('dragover', preventDrop);
      window.removeEventListener('drop', preventDrop);
    };
  }, []);
}

/** 'Remove photo', with a confirmation: the picture itself is deleted. */
function AvatarRemoval({ userId, url }: { userId: string; url: string }) {
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const remove = async () => {
    setBusy(true);
    setMessage(null);
    const removed = await removeAvatar(userId, url);
    setBusy(false);
    if (removed.kind === 'saved') {
      setConfirming(false);
      cacheProfile(userId, removed.profile);
      toast.success('Photo removed');
    } else if (removed.kind === 'failed') {
      setMessage(removed.message);
      toast.error(removed.toast);
    }
  };

  return (
    <>
      <Button variant="quiet" onClick={() => setConfirming(true)}>
        Remove photo
      </Button>
      <Dialog
        isOpen={isConfirming}
        heading="Remove your photo?"
        onClose={() => setConfirming(false)}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>Keep it</Button>
            <Button variant="danger" isBusy={isBusy} onClick={() => void remove()}>
              Remove
            </Button>
          </>
        }
      >
        <p>We’ll delete your photo and show your initial instead.</p>
        {message !== null && <ReportedFailure>{message}</ReportedFailure>}
      </Dialog>
    </>
  );
}
