/** The texts of an example: title, description and alt texts of its pictures, all computed from its figures. */
import { shortName } from '../../domain/forecast/figures/figure-messages.ts';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { formatPrice } from '../../domain/format/price.ts';
import { accuracyGrade, checkPoints } from '../../domain/gallery/gallery-accuracy.ts';
import type { GalleryExample } from '../../domain/gallery/gallery-example.ts';
import { bandCoverage, coverageGrade } from '../../domain/record/scoring/band-coverage.ts';
import { closesOf, type FoundForecast } from './search.ts';

type ExampleTexts = Pick<GalleryExample, 'title' | 'description' | 'predictionAlt' | 'outcomeAlt'>;

export function describeExample(found: FoundForecast): ExampleTexts {
  const { symbol, model, band, accuracy } = found;
  const { lastClose, forecast, outcome } = closesOf(found);
  const right = checkPoints({ lastClose, forecast, outcome }).filter(Boolean).length;
  const coverage = bandCoverage(band, outcome);
  const { within80, within95 } = coverage;
  const drawn = describeMove(forecast, lastClose);
  const real = describeMove(outcome, lastClose);
  const price = (value: number | undefined): string => formatPrice(value ?? Number.NaN, symbol.decimals);

  const sides =
    accuracyGrade(accuracy) === 'poor'
      ? `A miss: at only ${right} of 10 checkpoints, the drawn path and the outcome were on the same side of the last close before the forecast.`
      : `At ${right} of 10 checkpoints, the drawn path and the outcome were on the same side of the last close before the forecast.`;
  const ends = `The path ended ${drawn}, the outcome ${real}.`;
  const inside = `The outcome closed ${describeInside(within80, within95)}.`;
  const narrow = coverageGrade(coverage) === 'missed' ? ' The bands were too narrow for this move.' : '';
  return {
    title: `${symbol.label} ${real}, ${bandTitle(within80, within95)}`,
    description: `${inside}${narrow} ${ends} ${sides}`,
    predictionAlt:
      `150 simulated one-minute candles of ${symbol.label} up to a last close of ${price(lastClose)}, then ` +
      `${shortName(model)}'s forecast: 50 candles in outline that end ${drawn} at ${price(forecast.at(-1))}. After 50 ` +
      `minutes the 80% band reaches from ${price(band.lower80.at(-1))} to ${price(band.upper80.at(-1))}, the 95% band ` +
      `from ${price(band.lower95.at(-1))} to ${price(band.upper95.at(-1))}.`,
    outcomeAlt:
      `The same candles and bands with the outcome: it ended ${real} at ${price(outcome.at(-1))}, closing ` +
      `${describeInside(within80, within95)}. The forecast's closes are a dashed line, right at ${right} of 10 checkpoints.`,
  };
}

function describeInside(within80: number, within95: number): string {
  if (within80 === HORIZON_BARS) return `within the 80% band in all 50 minutes`;
  const inWider = within95 === HORIZON_BARS ? 'all 50' : String(within95);
  return `within the 80% band in ${within80} of 50 minutes and within the 95% band in ${inWider}`;
}

function bandTitle(within80: number, within95: number): string {
  if (within80 === HORIZON_BARS) return `all within the 80% band`;
  if (within95 === HORIZON_BARS) return `all within the 95% band`;
  const outside = HORIZON_BARS - within95;
  return `outside the 95% band for ${outside} ${outside === 1 ? 'minute' : 'minutes'}`;
}

/** 'up 0.73%' */
function describeMove(closes: readonly number[], lastClose: number): string {
  const share = (closes.at(-1) ?? Number.NaN) / lastClose - 1;
  if (share === 0) return 'unchanged';
  return `${share > 0 ? 'up' : 'down'} ${formatPrice(Math.abs(share) * 100, 2)}%`;
}
