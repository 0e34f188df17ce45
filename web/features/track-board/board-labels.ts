/** The texts of a board row: each figure with its interval, or a note that there are too few. */

import { formatChange, formatPrice } from '#domain/format/price.ts';
import type { BoardRow } from '#domain/record/figures/board.ts';

export interface LabelledFigure {
  figure: string;
  /** Small text below the figure. */
  detail: string;
}

export const TOO_FEW = 'too few to compare';
const NONE: LabelledFigure = { figure: '–', detail: '' };

/** '128 judged'; the number left out is shown below. */
export function countLabel({ n, overlapping }: BoardRow): LabelledFigure {
  return {
    figure: `${formatPrice(n, 0)} judged`,
    detail: overlapping === 0 ? '' : `${formatPrice(overlapping, 0)} overlap and do not count`,
  };
}

/** '53 %', '44 to 62 %'. */
export function shareLabel({ share, sided }: BoardRow): LabelledFigure {
  if (share === null) return { figure: TOO_FEW, detail: `${formatPrice(sided, 0)} with a side` };
  const percent = (value: number): string => formatPrice(value * 100, 0);
  const [from, to] = share.interval;
  return { figure: `${percent(share.value)} %`, detail: `${percent(from)} to ${percent(to)} %` };
}

/** '18.2 bp', 'last close 17.9 bp'. */
export function errorLabel({ path }: BoardRow): LabelledFigure {
  if (path === null) return NONE;
  return {
    figure: `${formatPrice(path.maeBp, 1)} bp`,
    detail: `last close ${formatPrice(path.lastCloseMaeBp, 1)} bp`,
  };
}

/** '−1.7 %', '−3.0 to −0.4 %'. */
export function skillLabel({ path }: BoardRow): LabelledFigure {
  if (path === null) return NONE;
  const percent = (share: number): string => formatChange(share * 100, 1);
  const [from, to] = path.interval;
  return { figure: `${percent(path.skill)} %`, detail: `${percent(from)} to ${percent(to)} %` };
}
