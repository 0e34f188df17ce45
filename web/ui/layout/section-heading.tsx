/** The visible heading that labels a section of a page, with optional content beside it and a line below. */
import type { ReactNode } from 'react';
import styles from './section-heading.module.css';

export interface SectionHeadingProps {
  /** For the section's `aria-labelledby`. */
  id: string;
  children: string;
  beside?: ReactNode;
  lead?: ReactNode;
}

export function SectionHeading({ id, children, beside, lead }: SectionHeadingProps) {
  return (
    <div>
      <div className={styles.head}>
        <h2 id={id} className={styles.heading}>
          {children}
        </h2>
        {beside}
      </div>
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
