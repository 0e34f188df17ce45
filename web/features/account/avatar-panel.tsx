/** The photo of the profile: chosen or dropped, cropped, sent, removed. The cropper's code comes with the first picture. */
import { CircleAlert, Upload } from 'lucide-react';
import { type ChangeEvent, type DragEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { NOT_AN_IMAGE, TOO_LARGE } from '#domain/account/avatar.ts';
import type { Profile } from '../../session/profile.ts';
import type { SessionUser } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.ts';
import { type ChosenPicture, readPicture } from './avatar-file.ts';
import styles from './avatar-panel.module.css';
import { AvatarRemoval } from './avatar-removal.tsx';
import { keepProfile } from './use-profile.ts';

/** The specification's own; longer words stand at the button alone. */
const TOASTED: ReadonlySet<string> = new Set([NOT_AN_IMAGE, TOO_LARGE]);

const AvatarCropDialog = lazy(async () => ({ default: (await import('./avatar-crop-dialog.tsx')).AvatarCropDialog }));

export function AvatarPanel({ user, profile }: { user: SessionUser; profile: Profile }) {
  const [picture, setPicture] = useState<ChosenPicture | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const [inputId, noteId] = [useId(), useId()];
  useEffect(() => {
    if (picture !== null) return () => URL.revokeObjectURL(picture.url);
  }, [picture]);

  const take = async (file: File | undefined) => {
    if (file === undefined || isReading) return;
    setTold(null);
    setReading(true);
    const read = await readPicture(file);
    setReading(false);
    if ('told' in read) {
      setTold(read.told);
      if (TOASTED.has(read.told)) toast.error(read.told);
    } else setPicture(read);
  };

  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    void take(event.target.files?.[0]);
    // The same file once more is a choice too.
    event.target.value = '';
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  const onStored = (stored: Profile) => {
    setPicture(null);
    setTold(null);
    keepProfile(user.id, stored);
    toast.success('Avatar updated');
    input.current?.focus();
  };

  const name = profile.full_name ?? user.fullName ?? user.email ?? '';
  return (
    <Panel heading="Photo">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a drop is one more way to what the button does */}
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
        <div className={styles.words}>
          <div className={styles.buttons}>
            <input
              ref={input}
              id={inputId}
              type="file"
              accept="image/*"
              className={classNames('visually-hidden', styles.input)}
              aria-describedby={noteId}
              aria-invalid={told !== null}
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
            className={told === null ? styles.help : styles.error}
            role={told === null ? undefined : 'alert'}
          >
            {told !== null && <CircleAlert size={15} aria-hidden="true" />}
            {told ?? 'JPEG, PNG, WebP, GIF or AVIF of at most 5 MB. You can also drop it here.'}
          </p>
        </div>
      </div>
      {picture !== null && (
        <Suspense fallback={null}>
          <AvatarCropDialog
            userId={user.id}
            picture={picture}
            replaced={profile.avatar_url}
            onStored={onStored}
            onClose={() => {
              setPicture(null);
              input.current?.focus();
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}
