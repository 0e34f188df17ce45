/** Toggles the chart's ghost baseline, and shows what its lines look like. */
import { classNames } from '../../../ui/styles/class-names.ts';
import { useGhostSetting } from './ghost-setting.ts';
import styles from './ghost-toggle.module.css';

const TITLE = 'The last close held flat, with the bands of a random walk: what a forecast has to beat.';

export function GhostToggle() {
  const { isGhostShown, toggleGhost } = useGhostSetting();
  return (
    <button
      type="button"
      className={classNames(styles.toggle, isGhostShown && styles.on)}
      aria-pressed={isGhostShown}
      title={TITLE}
      onClick={toggleGhost}
    >
      <GhostLine line="close" />
      Ghost baseline
    </button>
  );
}

/** A sample of one of the ghost's lines, as the chart draws it. */
export function GhostLine({ line }: { line: 'close' | 'p80' | 'p95' }) {
  return (
    <svg className={styles.line} width="24" height="16" viewBox="0 0 24 16" aria-hidden="true">
      <path d="M0 8H24" className={styles[line]} />
    </svg>
  );
}
