/** The plans for display; every figure comes from plans.ts. Only pages that sell plans load it. */
import { MODELS, type ModelName } from '../forecast/models.ts';
import {
  type Feature,
  hasFeature,
  PLAN_LABELS,
  PLAN_NAMES,
  PLANS,
  type Plan,
  type PlanName,
  UNLIMITED,
} from './plans.ts';

export interface PlanOffer {
  /** Price id at the payment provider; null for the free plan, and until the settings are known. */
  priceId: string | null;
  name: string;
  description: string;
  priceCents: number;
  features: readonly string[];
  /** The next cheaper plan, which this one includes; null for the cheapest. */
  base: PlanName | null;
  /** Features that `base` lacks. */
  added: readonly string[];
  limitations: {
    features: readonly Feature[];
    models: readonly ModelName[];
    predictionsPerDay: number;
  };
}

const DESCRIPTIONS: Readonly<Record<PlanName, string>> = {
  free: 'The live market and everything we publish, without your own predictions.',
  bobcat: 'Your own predictions with the Bobcat model.',
  lion: 'Every model and the most predictions.',
};

/** In the order of the card. */
const FEATURE_LABELS = [
  ['saved-predictions', 'Every prediction saved and compared with the market'],
  ['saved-predictions', 'Download predictions as CSV or JSON'],
  ['new-models', 'New models as they are released'],
  ['market', 'Live chart, order book, sessions and news'],
  ['paper-trading', 'Paper trading'],
] as const satisfies readonly (readonly [Feature, string])[];

/** @param prices  the price ids on sale now, from the settings; null until they are known */
export function planCatalogue(prices: { bobcat: string; lion: string } | null): Readonly<Record<PlanName, PlanOffer>> {
  return {
    free: offerOf('free', null),
    bobcat: offerOf('bobcat', prices?.bobcat ?? null),
    lion: offerOf('lion', prices?.lion ?? null),
  };
}

/** Features of `from` that `to` lacks: what a user loses by that change. */
export function lostFeatures(from: PlanName, to: PlanName): string[] {
  const included = new Set(sentencesOf(to));
  return sentencesOf(from).filter((item) => !included.has(item));
}

/** What a user loses by a change to `to`: features, and limits that become smaller. */
export function downgradeOf(from: PlanName, to: PlanName): { limits: string | null; features: string[] } {
  const features = lostFeatures(from, to);
  if (!hasFeature(from, 'predictions') || !hasFeature(to, 'predictions')) return { limits: null, features };
  const [before, after]: [Plan, Plan] = [PLANS[from], PLANS[to]];
  const limits = [
    reducedLimit('a day', before.perDay, after.perDay),
    reducedLimit('a month', before.perMonth, after.perMonth),
  ].filter((limit) => limit !== null);
  return {
    limits: limits.length === 0 ? null : limits.join(', '),
    features: features.filter((feature) => feature !== predictionsLine(before)),
  };
}

function reducedLimit(period: string, before: number, after: number): string | null {
  if (after === UNLIMITED || before === after) return null;
  return `${before === UNLIMITED ? 'any number' : before} ${period} becomes ${after}`;
}

function offerOf(plan: PlanName, priceId: string | null): PlanOffer {
  const { priceCents, perDay, models, features } = PLANS[plan];
  const base = PLAN_NAMES[PLAN_NAMES.indexOf(plan) - 1] ?? null;
  return {
    priceId,
    name: PLAN_LABELS[plan],
    description: DESCRIPTIONS[plan],
    priceCents,
    features: sentencesOf(plan),
    base,
    added: base === null ? sentencesOf(plan) : lostFeatures(plan, base),
    limitations: { features, models, predictionsPerDay: perDay },
  };
}

function sentencesOf(name: PlanName): string[] {
  const plan: Plan = PLANS[name];
  const models = plan.models.map((model) => `${MODELS[model].label} model`);
  const own = hasFeature(name, 'predictions') ? [predictionsLine(plan), ...models] : [];
  return [...own, ...FEATURE_LABELS.filter(([feature]) => hasFeature(name, feature)).map(([, item]) => item)];
}

function predictionsLine({ perDay, perMonth }: Plan): string {
  if (perDay === UNLIMITED && perMonth === UNLIMITED) return 'Unlimited predictions';
  const aDay = perDay === UNLIMITED ? 'Any number of predictions a day' : `${perDay} predictions a day`;
  return `${aDay}, ${perMonth === UNLIMITED ? 'no limit' : perMonth} a month`;
}
