/** What stands where data would: nothing yet, or something went wrong. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './state.module.css';

/** One sentence and one action. */
export function EmptyState({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {text && <p>{text}</p>}
      </div>
      {action}
    </div>
  );
}

export interface ErrorStateProps {
  title: string;
  text?: string;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** What failed, what still works, and Retry where trying again can help. */
export function ErrorState({ title, text, onRetry, isRetrying = false }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {text && <p>{text}</p>}
      </div>
      {onRetry && (
        <Button onClick={onRetry} isBusy={isRetrying}>
          Retry
        </Button>
      )}
    </div>
  );
}
