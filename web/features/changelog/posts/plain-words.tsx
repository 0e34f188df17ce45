/** A post as it was written: where formatting it would take too long, or its code did not arrive. */
import styles from './plain-words.module.css';

export function PlainWords({ content }: { content: string }) {
  return (
    <p dir="auto" className={styles.words}>
      {content}
    </p>
  );
}
