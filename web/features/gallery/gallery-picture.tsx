/**
 * One picture of an example, with an image file for each theme. The style sheet shows the one for the root's
 * attributes, correct from the first paint. The hidden ones are lazy and not fetched; only with scripts disabled do
 * browsers fetch lazy images immediately.
 */
import {
  GALLERY_PICTURE,
  type GalleryPictureKind,
  type GalleryPictureTheme,
  galleryPicture,
} from '#domain/gallery/gallery-example.ts';
import styles from './gallery-picture.module.css';

const FILES = [
  ['dark', styles.dark],
  ['light', styles.light],
  ['dark-cb', styles.darkColourBlind],
  ['light-cb', styles.lightColourBlind],
] as const satisfies readonly (readonly [GalleryPictureTheme, string | undefined])[];

/** The chart's label at the join; the caption starts with the same word. */
const WORDS = { prediction: 'forecast', outcome: 'outcome' } as const satisfies Record<GalleryPictureKind, string>;

export interface GalleryPictureProps {
  /** Id of the example. */
  id: string;
  kind: GalleryPictureKind;
  alt: string;
}

export function GalleryPicture({ id, kind, alt }: GalleryPictureProps) {
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
      <span className={styles.word} aria-hidden="true">
        {WORDS[kind]}
      </span>
    </div>
  );
}
