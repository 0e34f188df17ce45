/** A page that has its place and its title, and says plainly that its content follows. */
import type { ReactNode } from 'react';
import styles from './being-built.module.css';
import { Page } from './page.tsx';

export interface BeingBuiltProps {
  heading: string;
  /** One honest sentence: what will stand here. */
  text: string;
  /** Where to go meanwhile. */
  actions?: ReactNode;
}

export function BeingBuilt(props: BeingBuiltProps) {
  return (
    <Page width="reading">
      <BeingBuiltText {...props} />
    </Page>
  );
}

/** The same without the page's column, for pages that stand inside a layout of their own. */
export function BeingBuiltText({ heading, text, actions }: BeingBuiltProps) {
  return (
    <div className={styles.text}>
      <h1>{heading}</h1>
      <p className={styles.line}>{text}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
