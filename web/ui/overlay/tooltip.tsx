/** Details of a short text, such as an exact time: shown on hover, focus and touch; Escape hides them. */
import { type ReactNode, useId, useState } from 'react';
import styles from './tooltip.module.css';

export interface TooltipProps {
  text: string;
  children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is activated, the text only shows
    <span
      className={styles.place}
      onMouseEnter={() => setShown(true)}
      onMouseLeave={() => setShown(false)}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setShown(false);
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text shows on focus too */}
      <span tabIndex={0} aria-describedby={id} className={styles.anchor}>
        {children}
      </span>
      <span id={id} role="tooltip" hidden={!isShown} className={styles.bubble}>
        {text}
      </span>
    </span>
  );
}
