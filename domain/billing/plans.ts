/** The plans on sale, with their prices, limits and models (R-PLAN-1, R-PLAN-2, R-PLAN-3). */
import type { ModelName } from '../forecast/models.ts';

export const PLAN_NAMES = ['free', 'bobcat', 'lion'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** Used instead of a number of predictions (R-PLAN-18). */
export const UNLIMITED = -1;

/** Features a plan may include; the page and the server check them by name. */
const FEATURES = ['market', 'paper-trading', 'predictions', 'saved-predictions', 'new-models'] as const;
export type Feature = (typeof FEATURES)[number];

export interface Plan {
  priceCents: number;
  /** A UTC day; UNLIMITED: no limit. `perMonth` is a billing period. */
  perDay: number;
  perMonth: number;
  models: readonly ModelName[];
  features: readonly Feature[];
}

export const PLANS = {
  free: { priceCents: 0, perDay: 0, perMonth: 0, models: [], features: ['market', 'paper-trading'] },
  bobcat: {
    priceCents: 2999,
    perDay: 10,
    perMonth: 60,
    models: ['bobcat'],
    features: ['market', 'paper-trading', 'predictions', 'saved-predictions'],
  },
  lion: {
    priceCents: 6999,
    perDay: 15,
    perMonth: 300,
    models: ['bobcat', 'panther', 'lion'],
    features: FEATURES,
  },
} as const satisfies Record<PlanName, Plan>;

export function hasFeature(name: PlanName, feature: Feature): boolean {
  const plan: Plan = PLANS[name];
  return plan.features.includes(feature);
}

/** The cheapest plan with this model. */
export function planWithModel(model: ModelName): PlanName {
  const includes = ({ models }: Plan): boolean => models.includes(model);
  return PLAN_NAMES.find((name) => includes(PLANS[name])) ?? 'lion';
}

export const PLAN_LABELS: Readonly<Record<PlanName, string>> = { free: 'Free', bobcat: 'Bobcat', lion: 'Lion' };

/** Price ids of the payment sandbox and of the seed; real ones come from settings and the table billing_prices. */
export const DEFAULT_PRICE_IDS = { bobcat: 'price_kat_bobcat_monthly', lion: 'price_kat_lion_monthly' } as const;

/** Maps a price id to the plan it sells. */
export type PriceTable = ReadonlyMap<string, Exclude<PlanName, 'free'>>;

/** Price ids on sale now; `former` maps retired price ids to the plan of users who still pay them (R-PLAN-10). */
export interface PriceIds {
  bobcat: string;
  lion: string;
  former?: Readonly<Record<string, Exclude<PlanName, 'free'>>> | undefined;
}

export function priceTableOf({ bobcat, lion, former = {} }: PriceIds): PriceTable {
  return new Map([...Object.entries(former), [bobcat, 'bobcat'], [lion, 'lion']]);
}
