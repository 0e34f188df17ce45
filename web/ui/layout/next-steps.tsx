/** Beside a page's result: where to go from there. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './next-steps.module.css';
import { Panel } from './panel.tsx';

export interface NextStep {
  to: string;
  label: string;
  text: string;
}

export interface NextStepsProps {
  heading: string;
  steps: readonly NextStep[];
}

/** The result, with the next steps beside it, or below it where there is no room. */
export function WithNextSteps({ heading, steps, children }: NextStepsProps & { children: ReactNode }) {
  return (
    <div className={styles.pair}>
      {children}
      <Panel heading={heading} isFlush>
        <ul>
          {steps.map(({ to, label, text }) => (
            <li key={to} className={styles.row}>
              <Link to={to} className={styles.link}>
                <span>
                  <span className="weight-500">{label}</span> <span className={styles.text}>{text}</span>
                </span>
                <ChevronRight size={16} aria-hidden="true" className="flex-none muted" />
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
