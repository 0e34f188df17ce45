/** What comes next today, in one line that opens the sessions and the holidays. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { storedText } from '../../ui/browser/stored-value.ts';
import { Button } from '../../ui/forms/button.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import { TodayItems } from './today-items.tsx';
import styles from './today-strip.module.css';

const load = () => import('./market-clock.ts');
const TradingSessions = lazyWidget('Trading Sessions', async () => (await load()).TradingSessions, styles.sessions, {
  arrival: 'near',
});
const MarketHolidays = lazyWidget(
  'Market Holidays & Announcements',
  async () => (await load()).MarketHolidays,
  styles.holidays,
  { arrival: 'near' },
);

export interface TodayStripProps {
  /** Until someone chooses. */
  isOpenAtFirst: boolean;
}

export function TodayStrip({ isOpenAtFirst }: TodayStripProps) {
  const headingId = useId();
  const widgetsId = useId();
  const { isOpen, setOpen } = useOpen(isOpenAtFirst);
  return (
    <section aria-labelledby={headingId} className="column gap-4">
      <div className={styles.strip}>
        <h2 id={headingId} className="size-14 flex-none">
          Today
        </h2>
        <div className={styles.items}>
          <TodayItems />
        </div>
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={widgetsId}
          className={styles.button}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={styles.label}>Sessions and holidays</span>
          <ChevronDown size={16} aria-hidden="true" />
        </Button>
      </div>
      <div id={widgetsId} hidden={!isOpen} className={styles.widgets}>
        {isOpen && (
          <>
            <TradingSessions className={styles.sessions} />
            <MarketHolidays className={styles.holidays} />
          </>
        )}
      </div>
    </section>
  );
}

const OPEN = 'open';
const storedChoice = storedText('localStorage', 'kat-today');

/** As it was left in this browser. An address with mock holidays shows them. */
function useOpen(isOpenAtFirst: boolean): { isOpen: boolean; setOpen: (isOpen: boolean) => void } {
  const [params] = useSearchParams();
  const [stored] = useState(() => storedChoice.read());
  const [chosen, setChosen] = useState<boolean | null>(null);
  const asLeft = params.get('mock') === 'hol' || (stored === null ? isOpenAtFirst : stored === OPEN);
  return {
    isOpen: chosen ?? asLeft,
    setOpen(isOpen) {
      setChosen(isOpen);
      storedChoice.write(isOpen ? OPEN : 'closed');
    },
  };
}
