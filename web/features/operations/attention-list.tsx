/** Current problems, the worst first. Each line's kind names its paragraph in docs/operating.md. */

import CircleCheck from 'lucide-react/icons/circle-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import type { Attention } from '#domain/operations/operations-state.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './attention-list.module.css';

const ICONS = { urgent: CircleAlert, warning: TriangleAlert, note: Info } as const;
const WORDS = { urgent: 'Urgent', warning: 'Warning', note: 'Note' } as const;

export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  if (attention.length === 0)
    return (
      <p className={classNames(styles.line, styles.fine)}>
        <CircleCheck size={18} aria-hidden="true" />
        Nothing needs attention.
      </p>
    );
  return (
    <ul className={styles.list}>
      {attention.map(({ level, kind, text }) => {
        const Icon = ICONS[level];
        return (
          <li key={`${kind} ${text}`} className={classNames(styles.line, styles[level])}>
            <Icon size={18} aria-hidden="true" />
            <span>
              <strong className={styles.level}>{WORDS[level]}</strong> {text}{' '}
              <code className={styles.kind}>{kind}</code>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
