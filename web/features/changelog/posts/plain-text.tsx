/** A post's source text, used when formatting would take too long or its code did not load. */
import styles from './plain-text.module.css';

export function PlainText({ content }: { content: string }) {
  return (
    <p dir="auto" className={styles.text}>
      {content}
    </p>
  );
}
