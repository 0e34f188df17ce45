/** One example: what was forecast, what followed, and how often the drawn path was on the right side. */
import { shortName } from '#domain/forecast/figure-words.ts';
import { type AccuracyGrade, accuracyGrade } from '#domain/record/gallery-accuracy.ts';
import {
  GALLERY_PICTURE,
  type GalleryExample,
  type GalleryPictureTheme,
  galleryPicture,
} from '#domain/record/gallery-example.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Theme, useTheme } from '../../ui/theme.ts';
import styles from './gallery-card.module.css';

/** Green, yellow, red; the words beside the figure say the same. */
const TONES = { good: 'up', fair: 'warning', poor: 'down' } as const satisfies Record<AccuracyGrade, BadgeTone>;
const WORDS = { good: 'mostly right', fair: 'half right', poor: 'mostly wrong' } as const satisfies Record<
  AccuracyGrade,
  string
>;

export interface GalleryCardProps {
  example: GalleryExample;
  /** Its pictures are on the first screen, so they do not wait. */
  isFirst?: boolean;
}

export function GalleryCard({ example, isFirst = false }: GalleryCardProps) {
  const { id, title, dateIso, symbol, model, description, predictionAlt, outcomeAlt } = example;
  const theme = pictureTheme(useTheme());
  const loading = isFirst ? 'eager' : 'lazy';
  return (
    <Panel heading={title} beside={<AccuracyBadge accuracy={example.accuracy} />}>
      <p className={styles.facts}>
        <span>{shortName(model)}</span>
        <span>{symbol}</span>
        <time dateTime={dateIso}>{minuteText(dateIso)}</time>
        <span>simulated</span>
      </p>
      <div className={styles.pictures}>
        <figure>
          <img
            src={galleryPicture(id, 'prediction', theme)}
            alt={predictionAlt}
            loading={loading}
            {...GALLERY_PICTURE}
          />
          <figcaption>Forecast: one drawn path in its 80&nbsp;% and 95&nbsp;% bands</figcaption>
        </figure>
        <figure>
          <img src={galleryPicture(id, 'outcome', theme)} alt={outcomeAlt} loading={loading} {...GALLERY_PICTURE} />
          <figcaption>Outcome: dashed, the path; dots, check points right; crosses, wrong</figcaption>
        </figure>
      </div>
      <p className={styles.description}>{description}</p>
    </Panel>
  );
}

function AccuracyBadge({ accuracy }: { accuracy: number }) {
  const grade = accuracyGrade(accuracy);
  return (
    <Badge tone={TONES[grade]} data-grade={grade}>
      {accuracy}&nbsp;% accuracy, {WORDS[grade]}
    </Badge>
  );
}

function pictureTheme({ isDark, isColourBlind }: Pick<Theme, 'isDark' | 'isColourBlind'>): GalleryPictureTheme {
  const theme = isDark ? 'dark' : 'light';
  return isColourBlind ? `${theme}-cb` : theme;
}

/** '2026-10-23 06:08 UTC' */
function minuteText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
