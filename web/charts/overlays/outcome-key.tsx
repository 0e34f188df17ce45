/** Hidden from assistive technology, which has the chart's text alternative. */
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './outcome-key.module.css';

export function OutcomeKey({ className }: { className?: string | undefined }) {
  return (
    <span className={classNames(styles.key, className)} aria-hidden="true">
      <span className={styles.stroke} />
      outcome
    </span>
  );
}
