/**
 * One drawn picture of an example in every theme's file, of which the style sheet shows the one that fits the root's
 * attributes, right from the first paint. The hidden ones are lazy and not fetched; only where scripts are off altogether
 * do browsers fetch lazy pictures at once.
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

/** The chart's word at the join; the caption begins with the same. */
const WORDS = { prediction: 'forecast', outcome: 'outcome' } as const satisfies Record<GalleryPictureKind, string>;

export interface GalleryPictureProps {
  /** Of the example. */
  id: string;
  kind: GalleryPictureKind;
  alt: string;
}

export function GalleryPicture({ id, kind, alt }: GalleryPictureProps) {
  return (
    <div className={styles.frame}>
      {FILES.map(([theme, shown]) => (
        // `loading` before `src`: some browsers begin to fetch as soon as they know the address.
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
