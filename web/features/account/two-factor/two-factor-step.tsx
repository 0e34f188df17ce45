/** It takes the focus, so screen readers announce the step and the keyboard continues there. */
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './two-factor-setup.module.css';

export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1} className={styles.heading}>
      {children}
    </h3>
  );
}
