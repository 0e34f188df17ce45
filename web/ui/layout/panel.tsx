import { type ReactNode, useId } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './panel.module.css';

export interface PanelProps {
  heading: string;
  beside?: ReactNode;
  actions?: ReactNode;
  /** No padding around the body, for charts and tables that reach the border. */
  isFlush?: boolean;
  level?: 2 | 3;
  id?: string;
  className?: string | undefined;
  /** Its content still loads. */
  isBusy?: boolean;
  children: ReactNode;
}

export function Panel(props: PanelProps) {
  const { heading, beside, actions, isFlush = false, level = 2, id, className, isBusy = false, children } = props;
  const headingId = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      aria-busy={isBusy || undefined}
      className={classNames('card column min-width-0', className)}
    >
      <header className={styles.head}>
        <Heading id={headingId} className="size-14">
          {heading}
        </Heading>
        {beside}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={classNames('min-width-0 flex-1 panel-padding', isFlush && styles.flush)}>{children}</div>
    </section>
  );
}
