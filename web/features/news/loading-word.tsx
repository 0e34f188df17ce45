/** The text over the skeletons while news load. */
import styles from './loading-word.module.css';

export function LoadingWord() {
  return <span className={styles.word}>Loading news...</span>;
}
