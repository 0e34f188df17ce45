/** Shown in place of data: nothing yet, or something went wrong. */
import type { ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { ReportedFailure } from './reported-failure.tsx';
import styles from './state.module.css';

export interface EmptyStateProps {
  title: string;
  text?: string;
  action?: ReactNode;
  /** The page has no other content, so the title is its heading. */
  isPage?: boolean;
}

export function EmptyState({ title, text, action, isPage = false }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <div className={styles.text}>
        <Title isPage={isPage}>{title}</Title>
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
  /** Another button in place of Retry. */
  action?: ReactNode;
  isPage?: boolean;
}

/** What failed, what still works, and Retry where trying again can help. */
export function ErrorState({ title, text, onRetry, isRetrying = false, action, isPage = false }: ErrorStateProps) {
  return (
    <ReportedFailure as="div" className={styles.state}>
      <div className={styles.text}>
        <Title isPage={isPage}>{title}</Title>
        {text && <p>{text}</p>}
      </div>
      {onRetry && (
        <Button onClick={onRetry} isBusy={isRetrying}>
          Retry
        </Button>
      )}
      {action}
    </ReportedFailure>
  );
}

function Title({ isPage, children }: { isPage: boolean; children: ReactNode }) {
  return isPage ? <h1 className={styles.heading}>{children}</h1> : <p className="text weight-500">{children}</p>;
}
