/** One of the gallery's five fixed examples, as the page shows it; made by scripts/gallery, never written by hand. */
import type { ModelName } from '../forecast/models.ts';

export interface GalleryExample {
  /** Begins the names of its pictures. */
  id: string;
  title: string;
  /** Minute of the last real candle, UTC. */
  dateIso: string;
  symbol: string;
  model: ModelName;
  accuracy: number;
  description: string;
  /** What each picture shows, with figures, for those who do not see it. */
  predictionAlt: string;
  outcomeAlt: string;
}

/** What the five were chosen from. */
export interface GallerySearch {
  forecasts: number;
  /** Mean accuracy of them all, percent with one decimal. */
  meanAccuracy: number;
}

export const GALLERY_PICTURE = { width: 800, height: 450 } as const;

export type GalleryPictureKind = 'prediction' | 'outcome';
export type GalleryPictureTheme = 'dark' | 'light' | 'dark-cb' | 'light-cb';

export function galleryPicture(id: string, kind: GalleryPictureKind, theme: GalleryPictureTheme): string {
  return `/gallery/${id}-${kind}-${theme}.svg`;
}
