/** Shown in place of data: nothing yet, or something went wrong. */
import type { ReactNode } from 'react';
import { Retry, useIsQuiet } from './quiet.tsx';
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
  /** Says that the rest of the page works. */
  isPart?: boolean;
  onRetry?: () => void;
  isRetrying?: boolean;
  /** Another button in place of Retry. */
  action?: ReactNode;
  isPage?: boolean;
}

/**
 * What failed, what still works, and Retry where trying again can help. While the page reports the failure of many
 * parts, only what failed.
 */
export function ErrorState(props: ErrorStateProps) {
  const { title, text, isPart = false, onRetry, isRetrying = false, action, isPage = false } = props;
  const isQuiet = useIsQuiet();
  const detail = isPart && !isQuiet ? 'The rest of the page still works.' : text;
  return (
    <ReportedFailure as="div" spokenAs={isQuiet ? null : 'alert'} className={styles.state}>
      <div className={styles.text}>
        <Title isPage={isPage}>{title}</Title>
        {detail && <p>{detail}</p>}
      </div>
      {onRetry && <Retry size="medium" isRetrying={isRetrying} onRetry={onRetry} />}
      {action}
    </ReportedFailure>
  );
}

function Title({ isPage, children }: { isPage: boolean; children: ReactNode }) {
  return isPage ? <h1 className={styles.heading}>{children}</h1> : <p className="text weight-500">{children}</p>;
}
