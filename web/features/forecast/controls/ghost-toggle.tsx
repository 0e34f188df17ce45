/** Toggles the chart's ghost baseline, and shows what its lines look like. */
import { pageState } from '../../../page-state.ts';
import { usePrerenderedStore } from '../../../ui/browser/prerendered-store.ts';
import { storedText } from '../../../ui/browser/stored-value.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './ghost-toggle.module.css';

const TITLE = 'The last close held flat, with the bands of a random walk. A forecast has to beat this.';
const TITLE_BEFORE = 'Available once a forecast is on the chart.';

/** @param hasForecast  false: the switch is off limits, and says why */
export function GhostToggle({ hasForecast }: { hasForecast: boolean }) {
  const { isGhostShown, toggleGhost } = useGhostSetting();
  return (
    <button
      type="button"
      className={classNames(styles.toggle, isGhostShown && styles.on)}
      aria-pressed={isGhostShown}
      // Not `disabled`, so that keyboard and screen reader reach the reason.
      aria-disabled={!hasForecast}
      title={hasForecast ? TITLE : TITLE_BEFORE}
      onClick={hasForecast ? toggleGhost : undefined}
    >
      <GhostLine line="close" />
      Ghost <span className={styles.aside}>baseline</span>
    </button>
  );
}

export function GhostLine({ line }: { line: 'close' | 'p80' | 'p95' }) {
  return (
    <svg className={styles.line} width="24" height="16" viewBox="0 0 24 16" aria-hidden="true">
      <path d="M0 8H24" className={styles[line]} />
    </svg>
  );
}

/** Off at first, then the last choice, like the theme. */
const stored = storedText('localStorage', 'ghostBaseline');

interface GhostState {
  /** The choice while storage is blocked. */
  unstored: boolean | null;
  listeners: Set<() => void>;
}

const ghost = pageState<GhostState>(() => ({ unstored: null, listeners: new Set() }));

export function useGhostSetting(): { isGhostShown: boolean; toggleGhost: () => void } {
  return { isGhostShown: usePrerenderedStore(subscribe, recall, false), toggleGhost };
}

function toggleGhost(): void {
  const isShown = !recall();
  // With blocked or full storage the choice lasts until the user leaves the page.
  ghost().unstored = stored.write(String(isShown)) ? null : isShown;
  for (const listener of ghost().listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const { listeners } = ghost();
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function recall(): boolean {
  return ghost().unstored ?? stored.read() === 'true';
}
