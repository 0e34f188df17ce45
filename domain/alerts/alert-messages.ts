/** The text of an alert, the same in the page, by email and on a device: what was measured, never advice. */
import { MODELS, type ModelName } from '../forecast/models.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import { formatPrice } from '../format/price.ts';
import { zonedClock } from '../format/zoned-time.ts';
import { marketDecimals, marketLabel } from '../market/named-market.ts';
import type { MarketKind } from '../market/symbols.ts';
import { barMinutesOf, barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../market/timeframes.ts';
import { VOID_LABELS } from '../record/scoring/outcome.ts';
import type { AlertFacts } from './alert.ts';
import type { RuleChance } from './alert-rule.ts';

export interface AlertText {
  title: string;
  text: string;
  /** Path on our own site where the user can see it. */
  path: string;
}

/** The name of the page at an alert's path. */
export function placeName(path: string): string {
  if (path.startsWith('/kat')) return 'AI Prediction';
  return path.startsWith('/account/predictions') ? 'Your Predictions' : 'Track Record';
}

type FactsOf<K extends AlertFacts['kind']> = Extract<AlertFacts, { kind: K }>;

const YOURS = '/account/predictions';
const RECORD = '/track-record';
const SUFFIXES: Readonly<Record<MarketKind, string>> = {
  live: '',
  replayed: ' These are replayed prices.',
  simulated: ' These are simulated prices.',
};

export function describeAlert(facts: AlertFacts): AlertText {
  const message = describeFacts(facts);
  return { ...message, text: message.text + SUFFIXES[facts.marketKind] };
}

function describeFacts(facts: AlertFacts): AlertText {
  switch (facts.kind) {
    case 'band-broken':
      return describeBrokenBand(facts);
    case 'prediction-resolved':
      return describeOutcome(facts);
    case 'models-disagree':
      return describeDisagreement(facts);
    case 'chance-reached':
      return describeReached(facts);
    case 'market-opens':
      return describeOpening(facts);
    case 'release-due':
      return describeRelease(facts);
  }
}

/** The shares of a random walk with the right band, and of our forecasts: docs/decisions/038-alerts.md. */
function describeBrokenBand(facts: FactsOf<'band-broken'>): AlertText {
  const { sym, bar, close, lower, upper } = facts;
  const label = marketLabel(sym);
  const isAbove = close > upper;
  const [price, edge] = apart(close, isAbove ? upper : lower, marketDecimals(sym, [close, lower, upper]));
  const side = isAbove ? 'above' : 'below';
  return {
    title: `${label} closed ${side} the 95% band`,
    text:
      `Bar ${bar} of ${describeForecast(facts)} closed at ${price}, ${side} the band’s edge at ${edge}. ` +
      `A well-calibrated 95% band misses one bar in twenty, so about one such forecast in three has a miss within its ${HORIZON_BARS} bars.`,
    path: YOURS,
  };
}

function describeOutcome(facts: FactsOf<'prediction-resolved'>): AlertText {
  const { sym, voidReason, pathErrorBp, lastCloseErrorBp, isReturned } = facts;
  const label = marketLabel(sym);
  const subject = describeForecast(facts);
  const returned = isReturned ? ' It didn’t count against your quota.' : '';
  if (voidReason !== null)
    return { title: `${label}: not scored`, text: `${subject}. ${VOID_LABELS[voidReason]}${returned}`, path: YOURS };
  const errors = describeErrors(pathErrorBp ?? Number.NaN, lastCloseErrorBp ?? Number.NaN);
  return { title: `${label}: outcome is known`, text: `${subject} ${errors}${returned}`, path: YOURS };
}

function describeErrors(pathBp: number, lastCloseBp: number): string {
  const [path, lastClose] = apart(pathBp, lastCloseBp, 1);
  const difference = path === lastClose ? 0 : pathBp - lastCloseBp;
  const nearer =
    difference === 0 ? 'Neither was closer' : difference < 0 ? 'The path was closer' : 'The last close was closer';
  return `was off by ${path} bp on average over its ${HORIZON_BARS} bars. A flat line at the last close was off by ${lastClose} bp. ${nearer}.`;
}

/** How common it is was measured: docs/decisions/038-alerts.md. */
function describeDisagreement({ sym, slotS, costBp }: FactsOf<'models-disagree'>): AlertText {
  const label = marketLabel(sym);
  return {
    title: `Models disagree about ${label}`,
    text: `Forecasts from ${formatClock(slotS)} point in different directions. After ${HORIZON_BARS} bars, at least one ends higher and one lower, each by more than the assumed cost of a round trip (${formatPrice(costBp, 1)} bp). They can’t all be right about the direction. This is common: on recorded crypto prices, it happens in a fifth to a half of all slots.`,
    path: RECORD,
  };
}

function describeReached(facts: FactsOf<'chance-reached'>): AlertText {
  const { sym, model, bar, percent, chance, baseline, livePrice } = facts;
  const label = marketLabel(sym);
  const decimals = marketDecimals(sym, [facts.price, livePrice]);
  const now = percentOf(chance);
  return {
    title: `${label}: ${now} chance to ${describeEvent(facts, decimals)}`,
    text: `${nameOf(model)} gives ${now} within ${bar} min, a simple baseline ${percentOf(baseline)}. You set ${percent}%. The price was ${formatPrice(livePrice, decimals)}.`,
    path: '/kat',
  };
}

function describeOpening({ sym, openedS }: FactsOf<'market-opens'>): AlertText {
  const label = marketLabel(sym);
  return {
    title: `${label} is open`,
    text: `Trading began at ${formatClock(openedS)}. New candles arrive, and forecasts work again. This alert was sent once.`,
    path: `/kat?sym=${encodeURIComponent(label)}`,
  };
}

/** A message on the page shows two lines, so the title alone names the release. */
function describeRelease(facts: FactsOf<'release-due'>): AlertText {
  const { sym, release, releasedS } = facts;
  return {
    title: `${marketLabel(sym)}: ${shorten(release)} at ${formatClock(releasedS)}`,
    text: [`It falls within ${describeForecast(facts)}, ${describeWidening(facts)}.`, ...describeOthers(facts)].join(
      ' ',
    ),
    path: YOURS,
  };
}

function describeWidening({ factor, known }: FactsOf<'release-due'>): string {
  if (factor === null) return 'which didn’t know of it: its bands are too narrow';
  const much = factor < LEAST_WIDENING ? 'a little' : `${factor.toFixed(1)} times`;
  const what = known > 1 ? `the ${known} releases within it` : 'it';
  return `whose band is ${much} wider for ${what} by the last bar`;
}

function describeOthers({ others, unaware }: FactsOf<'release-due'>): string[] {
  if (others === 0) return [];
  const count = others === 1 ? 'another' : `${others} more`;
  const whole = others === 1 ? ', which didn’t know of it' : ', none of which knew of it';
  const some = unaware === 0 ? '' : unaware === others ? whole : `, ${unaware} of which didn’t know of it`;
  return [`It also falls within ${count} of your forecasts${some}.`];
}

/** 'touch 62,000.0', 'close above 62,000.0'. */
export function describeEvent({ event, price }: Pick<RuleChance, 'event' | 'price'>, decimals: number): string {
  return `${event === 'touch' ? 'touch' : `close ${event}`} ${formatPrice(price, decimals)}`;
}

function percentOf(share: number): string {
  return `${Math.max(1, Math.min(99, Math.round(share * 100)))}%`;
}

/** 'Lion’s forecast from 14:32 UTC', 'Lion’s 5-minute forecast from 14:35 UTC'. */
function describeForecast({ model, timeframe = DEFAULT_TIMEFRAME, joinS }: ForecastFacts): string {
  const length = timeframe === DEFAULT_TIMEFRAME ? '' : `${barMinutesOf(timeframe)}-minute `;
  return `${nameOf(model)}’s ${length}forecast from ${formatClock(joinS + barSecondsOf(timeframe))}`;
}

interface ForecastFacts {
  model: ModelName;
  timeframe?: Timeframe | undefined;
  joinS: number;
}

function nameOf(model: ModelName): string {
  const { label } = MODELS[model];
  return label.slice(0, label.indexOf(' '));
}

/** '14:32 UTC': the same for everyone, because emails and lock screens do not know the reader's zone. */
function formatClock(atS: number): string {
  return `${zonedClock(atS * 1000, 'UTC')} UTC`;
}

/** Below it the band's factor reads as 1.0. */
const LEAST_WIDENING = 1.05;
/** A calendar's title may be longer than a device shows. */
const LONGEST_RELEASE = 60;

function shorten(release: string): string {
  return release.length <= LONGEST_RELEASE ? release : `${release.slice(0, LONGEST_RELEASE - 1).trimEnd()}…`;
}

const MORE_DECIMALS = 3;

/** Adds decimals until the two differ, or keeps the usual number if extra ones do not help. */
function apart(a: number, b: number, fewest: number): [string, string] {
  const figures = (decimals: number): [string, string] => [formatPrice(a, decimals), formatPrice(b, decimals)];
  for (let decimals = fewest; decimals <= fewest + MORE_DECIMALS; decimals++) {
    const [ofA, ofB] = figures(decimals);
    if (ofA !== ofB) return [ofA, ofB];
  }
  return figures(fewest);
}
