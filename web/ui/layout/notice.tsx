import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './notice.module.css';

export interface NoticeProps {
  tone?: 'info' | 'warning';
  /** Its first words, emphasized. */
  title?: string;
  className?: string | undefined;
  children?: ReactNode;
}

export function Notice({ tone = 'info', title, className, children }: NoticeProps) {
  const Icon = tone === 'warning' ? TriangleAlert : Info;
  return (
    <div className={classNames(styles.notice, styles[tone], className)}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        <div className={styles.content}>{children}</div>
      </div>
    </div>
  );
}
