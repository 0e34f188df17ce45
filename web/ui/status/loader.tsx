/** Loading states in three sizes: inside a control, in place of a page, and in the shape of the content. */
import type { Ref } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './loader.module.css';

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** Fills a page; shows after 150 ms, so that a quick response does not flash. */
export function Loader({ text = 'Loading…' }: { text?: string }) {
  return (
    <div className={styles.loader} role="status">
      <Spinner />
      <span>{text}</span>
    </div>
  );
}

export interface SkeletonProps {
  className?: string | undefined;
  /** What will appear here, for readers without JavaScript. */
  needsScript?: string | undefined;
  ref?: Ref<HTMLSpanElement>;
}

/** A grey shape of the final size (set its width and height with a class); shows after 150 ms. */
export function Skeleton({ className, needsScript, ref }: SkeletonProps) {
  if (needsScript === undefined)
    return <span ref={ref} className={classNames(styles.skeleton, className)} aria-hidden="true" />;
  return (
    <span ref={ref} className={classNames(styles.skeleton, styles.labelled, className)}>
      {/* Not one template: React would compare it with the document's text, in which `&` is escaped here. */}
      <noscript>{needsScript}: turn on JavaScript to see this.</noscript>
    </span>
  );
}
