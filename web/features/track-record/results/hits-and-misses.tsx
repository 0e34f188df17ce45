/** The worst misses and the best hits side by side, the same number and size; on a phone the misses come first. */
import type { RecordCard } from '#domain/record/figures/track-summary.ts';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import section from '../section.module.css';
import styles from './hits-and-misses.module.css';
import { RecordPicture } from './record-card.tsx';

interface HitsAndMissesProps {
  best: readonly RecordCard[];
  worst: readonly RecordCard[];
}

export function HitsAndMisses({ best, worst }: HitsAndMissesProps) {
  const count = Math.min(best.length, worst.length);
  if (count === 0) return null;
  return (
    <section className={section.section} aria-labelledby="extremes">
      <SectionHeading
        id="extremes"
        lead="Chosen by rule, not by us: by how much farther, or nearer, than the last close the drawn path ended. Amber: path and bands; the solid line: what came; basis points over minutes."
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
