import type { ReactNode } from 'react';
import styles from './keys.module.css';

/** The key that a shortcut of this system uses. */
export const MAIN_KEY = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl';

export function Key({ children }: { children: ReactNode }) {
  return <kbd className={styles.key}>{children}</kbd>;
}
