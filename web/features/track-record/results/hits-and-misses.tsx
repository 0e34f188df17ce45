/** The worst misses and the best hits side by side, the same number and size; on a phone the misses come first. */
import { Link } from 'react-router';
import { describeRecordCost } from '#domain/forecast/trading-cost.ts';
import { formatPrice } from '#domain/format/price.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { barUnit } from '#domain/market/timeframe-text.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { RecordCard } from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { RecordSketch } from '../../../charts/plots/record-sketch.tsx';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { ForecastPageLink } from '../forecast-page-link.tsx';
import { cardTitle, checkAddress, describeInside, describeSketch, lastErrors } from '../record-messages.ts';
import styles from './hits-and-misses.module.css';

interface HitsAndMissesProps {
  timeframe: Timeframe;
  best: readonly RecordCard[];
  worst: readonly RecordCard[];
}

export function HitsAndMisses({ timeframe, best, worst }: HitsAndMissesProps) {
  const count = Math.min(best.length, worst.length);
  if (count === 0) return null;
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="extremes">
      <SectionHeading
        id="extremes"
        lead={`Chosen by rule, not by us: by how much farther from the outcome, or closer to it, the drawn path ended than the last close. Amber: path and bands. Solid line: outcome. Basis points by ${timeframe === DEFAULT_TIMEFRAME ? 'minute' : 'bar'}.`}
      >
        Worst misses and best hits
      </SectionHeading>
      <div className={styles.columns}>
        <Cards title="Worst misses" cards={worst.slice(0, count)} />
        <Cards title="Best hits" cards={best.slice(0, count)} />
      </div>
    </section>
  );
}

function Cards({ title, cards }: { title: string; cards: readonly RecordCard[] }) {
  return (
    <div>
      <h3 className={styles.title}>{title}</h3>
      <ol className={styles.cards}>
        {cards.map((card) => (
          <li key={card.seq}>
            <RecordPicture card={card} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function RecordPicture({ card }: { card: RecordCard }) {
  const { zone } = useTimeZone();
  const errors = lastErrors(card);
  const cost = describeRecordCost(card);
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <h4>{cardTitle(card)}</h4>
        <time className="figures" dateTime={new Date(card.slot * 1000).toISOString()}>
          {zonedMinute(card.slot * 1000, zone)}
        </time>
      </header>
      <RecordSketch
        description={describeSketch(card)}
        bars={SCORED_BARS}
        path={card.pathBp}
        band80={card.band80Bp}
        band95={card.band95Bp}
        actual={card.actualBp}
      />
      <p className={styles.facts}>
        {errors === null ? (
          <span>No outcome yet.</span>
        ) : (
          <span>
            After 50 {barUnit(timeframeOfRecord(card))} the path was{' '}
            <b className="figures">{`${formatPrice(errors.path, 1)} bp`}</b> off, the last close{' '}
            <b className="figures">{`${formatPrice(errors.lastClose, 1)} bp`}</b>; {describeInside(card)}.
          </span>
        )}{' '}
        {cost !== null && <span>{`${cost} `}</span>}
        <span>
          <Link to={checkAddress(card.seq)}>{`Check record ${card.seq}`}</Link> or{' '}
          <ForecastPageLink seq={card.seq}>see every bar</ForecastPageLink>.
        </span>
      </p>
    </article>
  );
}
