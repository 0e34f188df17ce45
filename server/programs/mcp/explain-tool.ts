import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import { describeReleases } from '#domain/forecast/releases/release-text.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barMinutesOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { Estimate, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import type { SummaryStore } from '../../record/figures/summary-store.ts';
import type { BandBar, LatestShown } from '../readings/forecast-shapes.ts';
import type { LatestForecasts } from '../readings/latest-forecasts.ts';
import { type Tool, tool } from './tool.ts';
import { barInput, LIMITS_OF_FORECASTS, modelInput, symbolInput, timeframeInput, wantedOf } from './tool-inputs.ts';

const PERIOD = '30d';
const LAST_BAR = 50;
const BP = 10_000;

const measured = z.object({
  /** Bar of the record nearest to the requested one. */
  bar: z.int(),
  /** Shares, 0 to 1, with their 95% intervals; null when too few forecasts are scored. */
  inside80: z.nullable(z.object({ value: z.number(), interval: z.nullable(z.tuple([z.number(), z.number()])) })),
  inside95: z.nullable(z.object({ value: z.number(), interval: z.nullable(z.tuple([z.number(), z.number()])) })),
  forecasts: z.int(),
});

export interface ExplainParts {
  latest: LatestForecasts;
  summaries: Pick<SummaryStore, 'read'>;
  /** The market of figures for a forecast that does not name its own. */
  marketKind: MarketKind;
}

export function explainBand({ latest, summaries, marketKind }: ExplainParts): Tool {
  return tool({
    name: 'explain_band',
    title: 'Explain a band',
    description: `Puts the band of the newest forecast at one candle into words, and says how often such bands held in the public record of the last 30 days. ${LIMITS_OF_FORECASTS} Access as for get_latest_forecast.`,
    input: z.strictObject({ symbol: symbolInput, model: modelInput, timeframe: timeframeInput, bar: barInput }),
    output: z.object({
      explanation: z.string(),
      symbol: z.string(),
      model: z.string(),
      timeframe: z.string(),
      lastClose: z.number(),
      bar: z.int(),
      closesAt: z.iso.datetime(),
      lower80: z.number(),
      upper80: z.number(),
      lower95: z.number(),
      upper95: z.number(),
      measured: z.nullable(measured),
    }),
    async run({ input: { bar = LAST_BAR, ...input }, key, signal }) {
      const { shown } = await latest(key, wantedOf(input), signal);
      const band = shown.bands.find((one) => one.bar === bar) ?? shown.bands.at(-1);
      if (band === undefined) throw new Error('A forecast has no band.');
      const summary = await summaries.read(shown.market ?? marketKind, shown.timeframe, PERIOD);
      const { symbol, model, timeframe, lastClose } = shown;
      const found = summary === null ? null : measuredAt(summary, model, band.bar);
      const explanation = [bandText(shown, band), releasesText(shown), recordText(found, model), LIMITS_OF_FORECASTS]
        .filter((part) => part !== '')
        .join(' ');
      return { explanation, symbol, model, timeframe, lastClose, ...band, measured: found };
    },
  });
}

function measuredAt(summary: TrackSummary, model: ModelName, bar: number): z.infer<typeof measured> | null {
  const nearest = SCORED_BARS.reduce((best, one) => (Math.abs(one - bar) < Math.abs(best - bar) ? one : best));
  const serving = summary.models.find((one) => one.model === model && one.role === 'serving');
  const figures = serving?.bars.find((one) => one.bar === nearest)?.figures;
  if (figures === undefined) return null;
  return { bar: nearest, inside80: figures.cover80, inside95: figures.cover95, forecasts: figures.n };
}

function bandText({ label, model, timeframe, lastClose, market }: LatestShown, band: BandBar): string {
  const half = (upper: number) => `${((upper / lastClose - 1) * 100).toFixed(2)}%`;
  return `${band.bar} candles of ${lengthText(timeframe)} ahead (${band.closesAt}), ${model} expects ${label} to close between ${decimalText(band.lower80)} and ${decimalText(band.upper80)} with a probability of 80%, and between ${decimalText(band.lower95)} and ${decimalText(band.upper95)} with 95%. The last close was ${decimalText(lastClose)}: that is about ${half(band.upper80)} and ${half(band.upper95)} to either side.${marketText(market)}`;
}

function marketText(market: LatestShown['market']): string {
  if (market === 'live') return '';
  if (market === null) return ' It is not stored whether these prices were live.';
  return ` These are ${market} prices, not live ones.`;
}

function releasesText({ releases }: LatestShown): string {
  if (releases === null) return '';
  const { list, widthFactor, isComplete } = releases;
  const known = {
    list: list.map((one) => ({ ...one, atS: Date.parse(one.at) / 1000 })),
    factor: widthFactor,
    isComplete,
  };
  const text = describeReleases(known, (atS) => `${new Date(atS * 1000).toISOString().slice(11, 16)} UTC`);
  return text && `Scheduled releases: ${text}.`;
}

function lengthText(timeframe: Timeframe): string {
  const minutes = barMinutesOf(timeframe);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
}

function recordText(found: z.infer<typeof measured> | null, model: ModelName): string {
  if (found === null || found.inside80 === null || found.inside95 === null)
    return 'Too few forecasts are scored to say how often such bands held.';
  return `In the last 30 days ${shareText(found.inside80)} of ${model}'s closes at candle ${found.bar} were inside the 80% band, and ${shareText(found.inside95)} inside the 95% band (${found.forecasts} forecasts).`;
}

function shareText({ value, interval }: Estimate): string {
  const percent = (share: number) => `${(Math.round(share * BP) / 100).toFixed(1)}%`;
  return interval === null ? percent(value) : `${percent(value)} (${percent(interval[0])} to ${percent(interval[1])})`;
}
