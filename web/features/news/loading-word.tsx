/** What is said over the grey shapes of news on their way. */
import styles from './loading-word.module.css';

export function LoadingWord() {
  return <span className={styles.word}>Loading news...</span>;
}
