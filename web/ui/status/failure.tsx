import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './failure.module.css';
import { ReportedFailure } from './reported-failure.tsx';

export function Failure({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <ReportedFailure className={classNames(styles.failure, className)}>
      <CircleAlert size={17} aria-hidden="true" />
      {children}
    </ReportedFailure>
  );
}
