/** Opens the chart's tour. Accounts that have never seen it are offered it once, in the place of the button. */
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { Button } from '../../ui/forms/button.tsx';
import styles from './chart-tour.module.css';
import { rememberTour, tourMemory } from './tour-memory.ts';

const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }));
/** Loads only for accounts whose tour is not known to have ended. */
const loadProgressCode = () => import('./progress.ts');

export interface ChartTourProps {
  /** Null: a visitor, whose tour is not stored. */
  userId: string | null;
  /** Of the candles on the chart. */
  timeframe: Timeframe;
}

export function ChartTour({ userId, timeframe }: ChartTourProps) {
  const [offeredTo, setOfferedTo] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const isFocusDue = useRef(false);
  useEffect(() => {
    let isCurrent = true;
    if (userId !== null)
      void mayOffer(userId).then((isWanted) => {
        if (isCurrent && isWanted) setOfferedTo(userId);
      });
    return () => {
      isCurrent = false;
    };
  }, [userId]);
  // A session may end during the tour: what was read stays read.
  const isOffered = offeredTo !== null && offeredTo === userId;
  const end = (isRead: boolean) => {
    setOpen(false);
    const owner = userId ?? offeredTo;
    setOfferedTo(null);
    // The button that opened the tour may be replaced now.
    isFocusDue.current = true;
    if (owner !== null) void storeEnd(owner, isRead);
  };
  useEffect(() => {
    if (!isFocusDue.current) return;
    isFocusDue.current = false;
    opener.current?.focus();
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields
    <div role="group" aria-label="Tour of the chart" className={styles.tour}>
      {isOffered && <span className={styles.question}>New to this chart?</span>}
      <Button
        // The offer's button is another one: it replaces the first, which has not moved.
        key={isOffered ? 'offer' : 'help'}
        ref={opener}
        size="small"
        variant={isOffered ? 'secondary' : 'quiet'}
        icon={<CircleHelp size={14} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {isOffered ? 'Take the tour' : 'How to read the chart'}
      </Button>
      {isOffered && (
        <Button size="small" variant="quiet" onClick={() => end(false)}>
          Not now
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <Tour timeframe={timeframe} onEnd={end} />
        </Suspense>
      )}
    </div>
  );
}

/** Without an answer, or without its code, there is no offer; the button is always there. */
async function mayOffer(userId: string): Promise<boolean> {
  const memory = tourMemory(userId);
  if (memory === 'ended') return false;
  try {
    const { isTourWanted } = await loadProgressCode();
    if (memory === null) {
      const isWanted = await isTourWanted(userId);
      if (isWanted === false) rememberTour(userId, true);
      return isWanted === true;
    }
  } catch {
    return false;
  }
  // It ended here when the server could not store that.
  await storeEnd(userId, false);
  return false;
}

async function storeEnd(userId: string, isRead: boolean): Promise<void> {
  rememberTour(userId, false);
  try {
    const { addMarks } = await loadProgressCode();
    if (await addMarks(userId, isRead ? ['tour-ended', 'bands-read'] : ['tour-ended'])) rememberTour(userId, true);
  } catch {
    // The next visit sends it again.
  }
}
