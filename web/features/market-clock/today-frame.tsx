/** The shape of `TodayStrip` until its code loads: page search and screen readers find both widgets by their headings. */
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import styles from './today-frame.module.css';

export function TodayFrame() {
  return (
    <div className={styles.frame}>
      <Skeleton className={styles.strip} needsScript="Trading sessions" />
      {['Trading Sessions', 'Market Holidays & Announcements'].map((name) => (
        <Panel key={name} heading={name} className={styles.widget} isBusy>
          {null}
        </Panel>
      ))}
    </div>
  );
}
