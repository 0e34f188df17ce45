import { type ReactNode, useEffect, useRef, useState } from 'react';
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
  const place = useRef<HTMLDetailsElement>(null);
  const noticeOpening = () => place.current?.open && setWasOpened(true);
  // A pre-rendered page may be opened before its scripts run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the first render
  useEffect(() => void noticeOpening(), []);
  return (
    // The browser, not React, decides whether it is open: a reader may have opened it before hydration.
    <details ref={place} className={styles.evidence} onToggle={noticeOpening} suppressHydrationWarning>
      <summary>{label}</summary>
      {wasOpened && <div className={styles.content}>{children}</div>}
    </details>
  );
}
