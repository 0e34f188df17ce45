/** Chooses a square by dragging, pinching or arrow keys, zooms, and uploads it with progress that can be cancelled. */
import { useEffect, useRef, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import type { Profile } from '../../../session/profile.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { AVATAR_SIDES } from '../../../ui/layout/avatar.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import { Progress } from '../../../ui/status/progress.tsx';
import { storeAvatar } from './avatar-api.ts';
import styles from './avatar-crop-dialog.module.css';
import { type ChosenPicture, cropped } from './avatar-file.ts';

export interface AvatarCropDialogProps {
  userId: string;
  picture: ChosenPicture;
  /** URL of the picture that this one replaces. */
  replaced: string | null;
  onStored: (profile: Profile) => void;
  onClose: () => void;
}

const MAX_ZOOM = 4;
/** One arrow key press, in CSS pixels; a fifth of it with Shift. */
const KEY_STEP_PX = 10;

export function AvatarCropDialog({ userId, picture, replaced, onStored, onClose }: AvatarCropDialogProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [square, setSquare] = useState<{ pixels: Area; percent: Area } | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);
  const isBusy = sent !== null;

  const store = async () => {
    if (square === null || isBusy) return;
    setMessage(null);
    setSent(0);
    const controller = new AbortController();
    sending.current = controller;
    const file = await cropped(picture.url, square.pixels);
    // Cancelled while it was cropped.
    if (controller.signal.aborted) return;
    if (file === null) {
      setSent(null);
      setMessage('This browser couldn’t open the picture. Please choose a smaller one.');
      return;
    }
    const onProgress = (bytes: number, all: number) => setSent(Math.round((100 * bytes) / Math.max(1, all)));
    const stored = await storeAvatar(userId, file, replaced, { signal: controller.signal, onProgress });
    setSent(null);
    if (stored.kind === 'saved') onStored(stored.profile);
    else if (stored.kind === 'failed') {
      setMessage(stored.message);
      toast.error(stored.toast);
    }
  };

  const cancel = () => {
    sending.current?.abort();
    onClose();
  };

  return (
    <Dialog
      isOpen
      heading="Crop your photo"
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button variant="primary" isBusy={isBusy} disabled={square === null} onClick={() => void store()}>
            Save photo
          </Button>
        </>
      }
    >
      <div className={styles.stage}>
        <Cropper
          image={picture.url}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          cropShape="round"
          objectFit="cover"
          showGrid={false}
          keyboardStep={KEY_STEP_PX}
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: styles.area ?? '' }}
          cropperProps={{
            role: 'application',
            'aria-roledescription': 'crop area',
            'aria-label': 'Photo: move with the arrow keys',
          }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(percent, pixels) => setSquare({ percent, pixels })}
        />
      </div>
      <div className={styles.below}>
        <label className={styles.zoom}>
          Zoom
          <input
            type="range"
            min={1}
            max={MAX_ZOOM}
            step={0.05}
            value={zoom}
            aria-valuetext={`${zoom.toFixed(1)} times`}
            onChange={(event) => setZoom(Number(event.target.value))}
          />
        </label>
        {square !== null && <AvatarPreviews url={picture.url} square={square.percent} />}
      </div>
      <p className="muted size-13">
        <span>Drag the picture, or move it with the arrow keys.</span>
        {picture.isMoving && <span> Only the first frame of an animation is used.</span>}
      </p>
      {isBusy && (
        <Progress label={sent < 100 ? 'Upload progress in percent' : 'Uploaded. Saving…'} value={sent} max={100} />
      )}
      {message !== null && <Failure>{message}</Failure>}
    </Dialog>
  );
}

/** @param square  in per cent of the picture's width and height */
function AvatarPreviews({ url, square }: { url: string; square: Area }) {
  // Scales and moves the whole picture so that the square fills the circle.
  const place = {
    width: `${10_000 / square.width}%`,
    height: `${10_000 / square.height}%`,
    left: `${(-100 * square.x) / square.width}%`,
    top: `${(-100 * square.y) / square.height}%`,
  };
  return (
    <div className="row gap-3" aria-hidden="true">
      {(['medium', 'small'] as const).map((size) => (
        <span key={size} className={styles.circle} style={{ width: AVATAR_SIDES[size], height: AVATAR_SIDES[size] }}>
          <img src={url} alt="" style={place} />
        </span>
      ))}
    </div>
  );
}
