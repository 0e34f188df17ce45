/** A panel with nothing in it yet: its heading, why it is empty, and the next step, in one row. */
import { type ReactNode, useId } from 'react';
import styles from './empty-row.module.css';

export interface EmptyRowProps {
  heading: string;
  title: string;
  text: string;
  action: ReactNode;
}

export function EmptyRow({ heading, title, text, action }: EmptyRowProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className={styles.row}>
      <h2 id={headingId} className="size-14">
        {heading}
      </h2>
      <p className={styles.text}>
        <span className="text weight-500">{title}</span> <span>{text}</span>
      </p>
      {action}
    </section>
  );
}
