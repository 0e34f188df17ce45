/** Named figures in rows, for the head of a panel. */
import type { ReactNode } from 'react';
import { groupedCount } from '#domain/format/count.ts';
import styles from './parts.module.css';

export interface Fact {
  name: string;
  value: ReactNode;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** '12', '10,000+'. */
export function countText({ count, isMore }: { count: number; isMore: boolean }): string {
  return `${groupedCount(count)}${isMore ? '+' : ''}`;
}
