import { useState } from 'react';
import { initialOf, ownAvatarPath } from '#domain/account/avatar-address.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './avatar.module.css';

export interface AvatarProps {
  /** As in the profile; only our own avatar URLs are loaded. */
  url: string | null;
  /** The name, else the email address. Hidden from assistive technology: the name is beside it. */
  name: string;
  size?: 'tiny' | 'small' | 'medium' | 'large';
  className?: string | undefined;
}

/** Sides in CSS pixels; the crop preview uses them too. */
export const AVATAR_SIDES = { tiny: 24, small: 32, medium: 48, large: 128 } as const;

export function Avatar({ url, name, size = 'medium', className }: AvatarProps) {
  const path = ownAvatarPath(url);
  const [broken, setBroken] = useState<string | null>(null);
  const { letter, colour } = initialOf(name);
  const hasPicture = path !== null && path !== broken;
  return (
    <span
      aria-hidden="true"
      data-colour={hasPicture ? undefined : colour}
      className={classNames(styles.avatar, styles[size], className)}
    >
      {hasPicture ? (
        <img
          src={path}
          alt=""
          width={AVATAR_SIDES[size]}
          height={AVATAR_SIDES[size]}
          decoding="async"
          onError={() => setBroken(path)}
        />
      ) : (
        letter
      )}
    </span>
  );
}
