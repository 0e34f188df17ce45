/** A mark that an option of a list can have or lose without being chosen: by a click on it, or by Shift and Enter. */
import Star from 'lucide-react/icons/star';
import type { KeyboardEvent } from 'react';
import styles from './option-star.module.css';

export interface OptionStar {
  isOn: boolean;
  /** What a click does: 'Watch ETH 5 min'. */
  action: string;
  /** Spoken with the option while on: 'on your watchlist'. */
  state: string;
  /** @returns what changed, to be announced; empty: nothing */
  toggle(): string;
}

export function isStarKey({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  return shiftKey && key === 'Enter';
}

export function StarMark({ star, onToggled }: { star: OptionStar; onToggled: (change: string) => void }) {
  const { isOn, action, state, toggle } = star;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: an option holds no control; the list has the key
    <span
      className={styles.star}
      data-on={isOn || undefined}
      title={`${action} (Shift+Enter)`}
      onClick={(event) => {
        // The option itself is not chosen.
        event.stopPropagation();
        onToggled(toggle());
      }}
    >
      <Star size={16} fill={isOn ? 'currentColor' : 'none'} aria-hidden="true" />
      {isOn && <span className="visually-hidden">{`, ${state}`}</span>}
    </span>
  );
}

/** What the key does to the highlighted option. Screen readers read it from the option itself. */
export function StarHint({ star }: { star: OptionStar }) {
  return (
    <p className={styles.hint} aria-hidden="true">
      {star.action} <span className="figures nowrap">Shift Enter</span>
    </p>
  );
}
