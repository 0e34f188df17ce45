/** One example: the forecast, the outcome, and how often the drawn path was on the right side. */
import { MODELS } from '#domain/forecast/models.ts';
import { minuteText } from '#domain/format/reading-time.ts';
import { type AccuracyGrade, accuracyGrade } from '#domain/gallery/gallery-accuracy.ts';
import type { GalleryExample } from '#domain/gallery/gallery-example.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { Badge, type BadgeTone } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './gallery-card.module.css';
import { GalleryPicture } from './gallery-picture.tsx';

/** Green, yellow, red; the text beside the figure says the same. */
const TONES = { good: 'up', fair: 'warning', poor: 'down' } as const satisfies Record<AccuracyGrade, BadgeTone>;
const WORDS = { good: 'mostly right', fair: 'half right', poor: 'mostly wrong' } as const satisfies Record<
  AccuracyGrade,
  string
>;

export interface GalleryCardProps {
  example: GalleryExample;
}

export function GalleryCard({ example }: GalleryCardProps) {
  const { id, title, dateIso, symbol, model, accuracy, description, predictionAlt, outcomeAlt } = example;
  return (
    <Panel heading={title} beside={<Badges accuracy={accuracy} />}>
      <p className={styles.facts}>
        <span>{MODELS[model].label}</span>
        <span>{symbol}</span>
        <time dateTime={dateIso}>{minuteText(Date.parse(dateIso))}</time>
      </p>
      <div className={styles.pictures}>
        <figure>
          <GalleryPicture id={id} kind="prediction" alt={predictionAlt} />
          <figcaption>Forecast: one drawn path in its 80&nbsp;% and 95&nbsp;% bands</figcaption>
        </figure>
        <figure>
          <GalleryPicture id={id} kind="outcome" alt={outcomeAlt} />
          <figcaption>Outcome: dashed, the path; dots, check points right; crosses, wrong</figcaption>
        </figure>
      </div>
      <p className={styles.description}>{description}</p>
    </Panel>
  );
}

function Badges({ accuracy }: { accuracy: number }) {
  const grade = accuracyGrade(accuracy);
  return (
    <>
      <Badge tone={TONES[grade]} data-grade={grade}>
        {accuracy}&nbsp;% accuracy, {WORDS[grade]}
      </Badge>
      <SourceBadge kind="simulated" />
    </>
  );
}
