/** The product's marks as shapes on a 24-unit grid, one colour, for the pages and the pictures generated for them. */

export const MARK_NAMES = ['kat', 'bobcat', 'panther', 'lion'] as const;
export type MarkName = (typeof MARK_NAMES)[number];

export interface MarkShape {
  d: string;
  /** Stroke width; 2 by default, 0 for none. */
  width?: number;
  isFilled?: boolean;
  /** Square ends instead of round ones. */
  isButt?: boolean;
}

export const MARK_GRID = 24;
export const MARK_STROKE = 2;

export const MARKS: Readonly<Record<MarkName, readonly MarkShape[]>> = {
  // A cat's eye whose pupil is a candle.
  kat: [
    { d: 'M1.5 12C5.5 3.8 18.5 3.8 22.5 12C18.5 20.2 5.5 20.2 1.5 12Z' },
    { d: 'M12 6v12', width: 1.5 },
    { d: 'M10 8.5h4v7h-4z', width: 0, isFilled: true },
  ],
  bobcat: [
    { d: 'M4.8 5 9 8.2h6L19.2 5v6l2.3 4-3.3 1.2c-1.1 2.8-3.4 4.3-6.2 4.3s-5.1-1.5-6.2-4.3L2.5 15l2.3-4z' },
    { d: 'M4.8 5 4.3 2.4M19.2 5l.5-2.6', width: 1.2 },
    { d: 'M9.3 12.3v.9M14.7 12.3v.9' },
    { d: 'M10.8 16h2.4L12 17.3z', width: 1.2, isFilled: true },
  ],
  panther: [
    {
      d: 'M3.5 13c0-2 .5-3.5 1.3-4.7C4 5.5 5.5 3.5 8.4 5.1c2.3-.8 4.9-.8 7.2 0C18.5 3.5 20 5.5 19.2 8.3c.8 1.2 1.3 2.7 1.3 4.7 0 4.5-3.8 8-8.5 8s-8.5-3.5-8.5-8Z',
    },
    { d: 'm8 12 2.5 1.1M16 12l-2.5 1.1' },
    { d: 'M10.8 16.3h2.4L12 17.6z', width: 1.2, isFilled: true },
  ],
  // A mane of five candles.
  lion: [
    { d: 'M2.5 10v8M6.5 3.8v6.5M12 .8v6M17.5 3.8v6.5M21.5 10v8', width: 1.2 },
    { d: 'M2.5 11.5v5M6.5 5.2v4M12 2v3.6M17.5 5.2v4M21.5 11.5v5', width: 3.6, isButt: true },
    {
      d: 'M6.3 14c0-2.5 2.2-4 5.7-4s5.7 1.5 5.7 4c0 1.5-.6 2.6-.6 4 0 2.2-2 3.5-5.1 3.5S6.9 20.2 6.9 18c0-1.4-.6-2.5-.6-4Z',
    },
    { d: 'm8.9 13.6 1.7.8M15.1 13.6l-1.7.8', width: 1.8 },
    { d: 'M10.6 17h2.8L12 18.5z', width: 1.2, isFilled: true },
  ],
};
