import { Skeleton } from '../../ui/status/loader.tsx';
import styles from './model-limits.module.css';

/** In place of a table of figures that is not there. */
export function Unmeasured({ isPending, hasFailed }: { isPending: boolean; hasFailed: boolean }) {
  if (isPending) return <Skeleton className={styles.waiting} />;
  return <p className="muted">{hasFailed ? 'We couldn’t load these figures.' : 'Not measured yet.'}</p>;
}
