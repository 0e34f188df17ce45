/** A page's column; header and footer follow its width. Each page provides its own h1. */
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './page.module.css';

export interface PageProps {
  /** wide: dashboards of charts; normal: most pages; reading: 66 characters; form: 400 px. */
  width?: 'wide' | 'normal' | 'reading' | 'form';
  className?: string | undefined;
  children: ReactNode;
}

export function Page({ width = 'normal', className, children }: PageProps) {
  return (
    <div data-width={width} className={classNames(styles.page, styles[width], className)}>
      {children}
    </div>
  );
}
