/** The picture of a view, drawn again when the view or its colours change; until then the former one stays. */
import { useEffect, useRef, useState } from 'react';
import type { PicturePalette } from '#domain/picture/palettes.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import { reportError } from '../../../platform/error-log.ts';
import type { DrawPicture } from './draw-picture.ts';

export interface Picture {
  /** Null until the first is drawn. */
  drawn: { blob: Blob; url: string } | null;
  hasFailed: boolean;
  /** The newest one, which may still be drawn. @throws Error if it can't be */
  newest(): Promise<Blob>;
  retry(): void;
}

interface PictureInputs {
  view: ForecastView;
  palette: PicturePalette;
  historyBars: number;
  address: string;
  draw: DrawPicture;
}

export function usePicture({ view, palette, historyBars, address, draw }: PictureInputs): Picture {
  const [drawn, setDrawn] = useState<Picture['drawn']>(null);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const newest = useRef<Promise<Blob> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` draws it again
  useEffect(() => {
    let isOver = false;
    const drawing = draw({ view, palette, historyBars, address });
    newest.current = drawing;
    drawing.then(
      (blob) => {
        if (isOver) return;
        setDrawn({ blob, url: URL.createObjectURL(blob) });
        setFailed(false);
      },
      (error: unknown) => {
        if (isOver) return;
        reportError(error, { where: 'picture of a forecast' });
        setFailed(true);
      },
    );
    return () => {
      isOver = true;
    };
  }, [view, palette, historyBars, address, draw, attempt]);
  useEffect(() => (drawn === null ? undefined : () => URL.revokeObjectURL(drawn.url)), [drawn]);
  return {
    drawn,
    hasFailed,
    newest: () => newest.current ?? Promise.reject(new Error('Nothing is drawn yet.')),
    retry: () => setAttempt((n) => n + 1),
  };
}
