/** Somebody's picture in a circle, or the first letter of the name on a colour of its own. */
import { useState } from 'react';
import { initialOf, ownAvatarPath } from '#domain/account/avatar-address.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './avatar.module.css';

export interface AvatarProps {
  /** As the profile has it; no address but one of our own avatars is ever asked for. */
  url: string | null;
  /** Or the e-mail address, where there is no name. Said to nobody: the name stands beside. */
  name: string;
  size?: 'tiny' | 'small' | 'medium' | 'large';
  className?: string | undefined;
}

/** Sides in CSS pixels; what is drawn of a picture before it is saved uses them too. */
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
