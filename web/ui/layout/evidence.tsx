import { type ReactNode, useState } from 'react';
import styles from './evidence.module.css';

interface EvidenceProps {
  /** What it holds, for pages with more than one. */
  label?: string;
  /** True draws the content from the start, for text that must be there without scripts. */
  isEager?: boolean;
  children: ReactNode;
}

/** Figures behind a short verdict. They are drawn once a reader opens them, and then stay. */
export function Evidence({ label = 'Show the evidence', isEager = false, children }: EvidenceProps) {
  const [wasOpened, setWasOpened] = useState(isEager);
  return (
    <details className={styles.evidence} onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
      <summary>{label}</summary>
      {wasOpened && <div className={styles.content}>{children}</div>}
    </details>
  );
}
