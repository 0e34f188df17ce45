/** A short fact in a coloured frame. The text carries the meaning; the colour only helps. */
import type { HTMLAttributes } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './badge.module.css';

export type BadgeTone = 'neutral' | 'accent' | 'info' | 'warning' | 'locked' | 'up' | 'down';

export interface BadgeProps extends HTMLAttributes<HTMLSpanElement> {
  tone?: BadgeTone;
}

export function Badge({ tone = 'neutral', className, ...rest }: BadgeProps) {
  return <span {...rest} className={classNames(styles.badge, styles[tone], className)} />;
}
