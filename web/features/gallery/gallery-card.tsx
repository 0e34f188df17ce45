import { MODELS } from '#domain/forecast/models.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { type AccuracyGrade, accuracyGrade } from '#domain/gallery/gallery-accuracy.ts';
import {
  GALLERY_PICTURE,
  type GalleryExample,
  type GalleryPictureKind,
  type GalleryPictureTheme,
  galleryPicture,
} from '#domain/gallery/gallery-example.ts';
import { CoverageBadge } from '../../site/coverage-badge.tsx';
import { SourceBadge } from '../../site/source-badge.tsx';
import { Badge, type BadgeTone } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './gallery-card.module.css';

/** Green, yellow, red; the text beside the figure says the same (docs/decisions/026-outcomes-of-predictions.md). */
const TONES = { good: 'up', fair: 'warning', poor: 'down' } as const satisfies Record<AccuracyGrade, BadgeTone>;
const GRADE_LABELS = { good: 'mostly right', fair: 'half right', poor: 'mostly wrong' } as const satisfies Record<
  AccuracyGrade,
  string
>;

interface GalleryCardProps {
  example: GalleryExample;
}

export function GalleryCard({ example }: GalleryCardProps) {
  const { id, title, dateIso, symbol, model, description, predictionAlt, outcomeAlt } = example;
  return (
    <Panel heading={title} beside={<Badges example={example} />}>
      <p className={styles.facts}>
        <span>{MODELS[model].label}</span>
        <span>{symbol}</span>
        <time dateTime={dateIso}>{zonedMinute(Date.parse(dateIso), 'UTC')}</time>
      </p>
      <div className={styles.pictures}>
        <figure>
          <GalleryPicture id={id} kind="prediction" alt={predictionAlt} />
          <figcaption>Forecast: one drawn path in its 80% and 95% bands</figcaption>
        </figure>
        <figure>
          <GalleryPicture id={id} kind="outcome" alt={outcomeAlt} />
          <figcaption>Outcome: the path is dashed; dots are right checkpoints, crosses wrong ones</figcaption>
        </figure>
      </div>
      <p className={styles.description}>{description}</p>
    </Panel>
  );
}

function Badges({ example: { accuracy, coverage } }: { example: GalleryExample }) {
  const grade = accuracyGrade(accuracy);
  // Green would praise a forecast whose outcome left the range that it called 95% likely.
  const hasLeft95 = coverage.within95 < coverage.bars;
  return (
    <>
      <CoverageBadge coverage={coverage} />
      <Badge tone={grade === 'good' && hasLeft95 ? 'neutral' : TONES[grade]} data-grade={grade}>
        {`${accuracy}% accuracy, ${GRADE_LABELS[grade]}`}
      </Badge>
      <SourceBadge kind="simulated" />
    </>
  );
}

const FILES = [
  ['dark', styles.dark],
  ['light', styles.light],
  ['dark-cb', styles.darkColourBlind],
  ['light-cb', styles.lightColourBlind],
] as const satisfies readonly (readonly [GalleryPictureTheme, string | undefined])[];

/** The chart's label at the join; the caption starts with the same word. */
const PICTURE_LABELS = { prediction: 'forecast', outcome: 'outcome' } as const satisfies Record<
  GalleryPictureKind,
  string
>;

interface GalleryPictureProps {
  id: string;
  kind: GalleryPictureKind;
  alt: string;
}

/**
 * One image file per theme; the style sheet shows the root's, correct from the first paint. The hidden ones are lazy
 * and not fetched, except with scripts disabled.
 */
function GalleryPicture({ id, kind, alt }: GalleryPictureProps) {
  return (
    <div className={styles.frame}>
      {FILES.map(([theme, shown]) => (
        // `loading` comes before `src`: some browsers start the fetch when they see the URL.
        <img
          key={theme}
          className={shown}
          loading="lazy"
          src={galleryPicture(id, kind, theme)}
          alt={alt}
          {...GALLERY_PICTURE}
        />
      ))}
      <span className={styles.label} aria-hidden="true">
        {PICTURE_LABELS[kind]}
      </span>
    </div>
  );
}
