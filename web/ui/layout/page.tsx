/** A page's column, the same as the header's and the footer's. Each page provides its h1. */
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './page.module.css';

export interface PageProps {
  /** Of what is in it: whole, lines of 66 characters, or forms of 400 px. */
  width?: 'whole' | 'reading' | 'form';
  className?: string | undefined;
  children: ReactNode;
}

export function Page({ width = 'whole', className, children }: PageProps) {
  return <div className={classNames(styles.page, width !== 'whole' && styles[width], className)}>{children}</div>;
}
