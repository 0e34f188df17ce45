/** A score as text. Both distances always appear together, and the text names the smaller one. */
import { HORIZON_BARS } from '../../forecast/window.ts';
import { plainPercent } from '../../format/price.ts';
import { barUnit } from '../../market/timeframe-text.ts';
import type { Timeframe } from '../../market/timeframes.ts';
import { type Nearer, nearerOf, type PathScore } from '../scoring/scoring.ts';

/** A basis point is a hundredth of a per cent: differences of logarithms read as shares while they are small. */
const BP_PER_PERCENT = 100;
const DECIMALS = 2;
const MOST_DECIMALS = 4;

/** 'Path error 0.12%. Last-close error 0.09%. The last close was closer.' For the 50th candle. */
export function describeClosing(score: PathScore): string {
  const [path, lastClose] = [score.path.atBarBp[50], score.lastClose.atBarBp[50]];
  const [ofPath, ofLastClose] = apart(path, lastClose);
  const nearer = ofPath === ofLastClose ? 'equal' : nearerOf(score, 50);
  return `Path error ${ofPath}. Last-close error ${ofLastClose}. ${NEARER[nearer]}.`;
}

/** 'Average over its 50 minutes: path error 0.08%, last-close error 0.05%.' */
export function describeAverage(score: PathScore, timeframe: Timeframe): string {
  const [path, lastClose] = apart(score.path.maeBp, score.lastClose.maeBp);
  return `Average over its ${HORIZON_BARS} ${barUnit(timeframe)}: path error ${path}, last-close error ${lastClose}.`;
}

const NEARER: Readonly<Record<Nearer, string>> = {
  path: 'The path was closer',
  'last-close': 'The last close was closer',
  equal: 'Neither was closer',
};

/** Adds decimals until the two differ, or keeps the usual two when four do not help. Basis points in, percentages out. */
function apart(aBp: number, bBp: number): [string, string] {
  const figures = (decimals: number): [string, string] => [
    plainPercent(aBp / BP_PER_PERCENT, decimals),
    plainPercent(bBp / BP_PER_PERCENT, decimals),
  ];
  for (let decimals = DECIMALS; decimals <= MOST_DECIMALS; decimals++) {
    const [a, b] = figures(decimals);
    if (a !== b) return [a, b];
  }
  return figures(DECIMALS);
}
