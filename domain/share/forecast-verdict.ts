/** What a forecast did, in one sentence, and how its page, picture and embed name it. */

import { horizonDuration } from '../forecast/horizon-duration.ts';
import { MODELS } from '../forecast/models.ts';
import { bandAtEnd, type ForecastBand } from '../forecast/quantiles.ts';
import { describeReleases } from '../forecast/releases/release-text.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import { formatPrice } from '../format/price.ts';
import { zonedClock, zonedMinute } from '../format/zoned-time.ts';
import type { MarketKind } from '../market/symbols.ts';
import { barUnit, timeframeName } from '../market/timeframe-text.ts';
import { type BandCoverage, bandCoverage, type CoverageGrade, coverageGrade } from '../record/scoring/band-coverage.ts';
import {
  arrivedBars,
  type ForecastContent,
  type ForecastSubject,
  type ForecastView,
  forecastEndS,
} from './forecast-view.ts';

/** 'BTC · Bobcat (Kat 1) · 1 minute' */
export function forecastTitle({ label, model, timeframe, ampPercent }: ForecastSubject): string {
  const amplified = ampPercent === undefined ? '' : ` · amplified ${ampPercent}%`;
  return `${label} · ${MODELS[model].label} · ${timeframeName(timeframe)}${amplified}`;
}

/** In capitals above everything that shows prices; null on the real market. */
export const MARKET_NOTICES: Readonly<Record<MarketKind, string | null>> = {
  live: null,
  replayed: 'Replayed market',
  simulated: 'Simulated market',
};

/** 'Issued 27 Nov 2026, 10:05 UTC' */
export function issuedText({ origin, issuedMs }: ForecastSubject): string {
  return `${origin === 'saved' ? 'Saved' : 'Issued'} ${zonedMinute(issuedMs, 'UTC')}`;
}

/** One whole sentence, sometimes two. Names numbers and no promise. */
export function forecastVerdict(view: ForecastView): string {
  switch (view.state) {
    case 'sealed':
      return `Sealed until ${endText(view)}. Its hash is already public.`;
    case 'running':
      return runningVerdict(view, view.content);
    case 'waiting':
      return `Its ${horizonDuration(view.timeframe)} are over. The outcome is being fetched.`;
    case 'known':
      return knownVerdict(view.content);
    case 'void':
      return view.reason;
  }
}

/** '10:55 UTC' on the day it ends. */
function endText(subject: ForecastSubject): string {
  return zonedMinute(forecastEndS(subject) * 1000, 'UTC');
}

/** '12 of 50 candles' */
export function arrivedText(bars: number): string {
  return `${bars} of ${HORIZON_BARS} candles`;
}

function runningVerdict(view: ForecastView, content: ForecastContent): string {
  const { outcome } = content;
  const arrived = arrivedBars(view);
  if (arrived !== null) return `${arrivedText(arrived)} have arrived. Runs until ${endText(view)}.`;
  if (outcome.length === 0 || content.bandBars.length === 0) {
    const end = bandAtEnd(content.band);
    if (end === null) return `Runs until ${endText(view)}. No bands were saved with it.`;
    const [low, high] = [end.lower80, end.upper80].map((price) => formatPrice(price, view.decimals));
    return `80% range at its end, ${endText(view)}: ${low} to ${high}.`;
  }
  const { bars, within80 } = outcomeCoverage(content);
  const passed = outcome.at(-1)?.bar ?? 0;
  return `${passed} of ${HORIZON_BARS} ${barUnit(view.timeframe)} so far: ${within80} of ${bars} closes inside the 80% band.`;
}

/** 'Band 1.9 times wider for US CPI at 13:30 UTC.'; null without a release. */
export function releasesSentence({ content }: Pick<ForecastView, 'content'>): string | null {
  const text = content?.releases && describeReleases(content.releases, (atS) => `${zonedClock(atS * 1000, 'UTC')} UTC`);
  return text ? `${text[0]?.toUpperCase()}${text.slice(1)}.` : null;
}

const GRADES: Readonly<Record<CoverageGrade, string>> = {
  held: 'The bands held',
  partly: 'The bands held in part',
  missed: 'The bands missed',
};

function knownVerdict(content: ForecastContent): string {
  if (content.bandBars.length === 0) return 'No bands were saved with this forecast, so its range can’t be judged.';
  const coverage = outcomeCoverage(content);
  const { bars, within80, within95 } = coverage;
  const outside = bars - within95;
  const closes = bars === HORIZON_BARS ? 'closes' : 'scored closes';
  return `${GRADES[coverageGrade(coverage)]}: ${within80} of ${bars} ${closes} inside the 80% band, ${outside === 0 ? 'none' : outside} outside the 95% band.`;
}

/** Of the closes at bars that have edges. */
export function outcomeCoverage({ bandBars, band, outcome }: ForecastContent): BandCoverage {
  const places = outcome.flatMap(({ bar, close }) => {
    const at = bandBars.indexOf(bar);
    return at === -1 ? [] : [{ at, close }];
  });
  const edge = (name: keyof ForecastBand): number[] => places.map(({ at }) => band[name][at] ?? Number.NaN);
  return bandCoverage(
    { lower80: edge('lower80'), upper80: edge('upper80'), lower95: edge('lower95'), upper95: edge('upper95') },
    places.map(({ close }) => close),
  );
}
