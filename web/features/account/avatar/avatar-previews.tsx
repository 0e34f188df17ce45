/** Round previews of the stored picture, at the sizes that pages use. */
import type { Area } from 'react-easy-crop';
import { AVATAR_SIDES } from '../../../ui/layout/avatar.tsx';
import styles from './avatar-previews.module.css';

/** @param square  in per cent of the picture's width and height */
export function AvatarPreviews({ url, square }: { url: string; square: Area }) {
  // Scales and moves the whole picture so that the square fills the circle.
  const place = {
    width: `${10_000 / square.width}%`,
    height: `${10_000 / square.height}%`,
    left: `${(-100 * square.x) / square.width}%`,
    top: `${(-100 * square.y) / square.height}%`,
  };
  return (
    <div className={styles.previews} aria-hidden="true">
      {(['medium', 'small'] as const).map((size) => (
        <span key={size} className={styles.circle} style={{ width: AVATAR_SIDES[size], height: AVATAR_SIDES[size] }}>
          <img src={url} alt="" style={place} />
        </span>
      ))}
    </div>
  );
}
