/** What each plan opens, row by row. What a plan limits comes from plans.ts; the rest is the same for everyone. */
import { shortName } from '../forecast/figures/figure-messages.ts';
import { joinNames } from '../format/names.ts';
import { barMinutesOf, TIMEFRAMES } from '../market/timeframes.ts';
import { PLAN_NAMES, PLANS, type Plan, type PlanName, UNLIMITED } from './plans.ts';

export interface ComparisonRow extends Readonly<Record<PlanName, string>> {
  what: string;
}

const SHARED = 'Bitcoin at 1 minute, shared';

/** Whoever has predictions chooses among all markets and candle lengths. */
export function comparePlans(): ComparisonRow[] {
  const timeframes = `${joinNames(TIMEFRAMES.map((timeframe) => String(barMinutesOf(timeframe))))} minutes`;
  return [
    row('Good for', {
      free: 'The live market, and a look at how the forecasts do',
      bobcat: 'A few forecasts a day of the markets you follow',
      lion: 'Many forecasts, and all models side by side',
    }),
    ofPlans(
      'Predictions of your own',
      'None',
      ({ perDay, perMonth }) => `${limit(perDay)} a day, ${limit(perMonth)} a month`,
    ),
    ofPlans('Models', 'Bobcat’s shared forecast', ({ models }) => joinNames(models.map(shortName))),
    ofPlans('Markets to forecast', SHARED, () => 'All'),
    ofPlans('Candles', '1 minute', () => timeframes),
    ofPlans('Chances of a price', SHARED, () => 'Every market you predict'),
    same('Usual range of any market', 'Yes'),
    ofPlans(
      'Alerts',
      'Openings, model disagreement, chances of Bitcoin',
      () => 'Also on your predictions and their chances',
    ),
    ofPlans('Webhooks', 'Bitcoin’s shared forecast, alerts', () => 'Also your predictions and their outcomes'),
    ofPlans(
      'API keys and assistants',
      'Bitcoin’s shared forecast, the record',
      () => 'Also your forecasts and predictions',
    ),
    ofPlans('Share and export', 'Shared forecasts', () => 'Also your own, as page, picture, CSV or JSON'),
    same('Track record, paper trading', 'Yes'),
  ];
}

function row(what: string, cells: Readonly<Record<PlanName, string>>): ComparisonRow {
  return { what, ...cells };
}

function same(what: string, text: string): ComparisonRow {
  return row(what, { free: text, bobcat: text, lion: text });
}

/** @param free  of a plan without predictions */
function ofPlans(what: string, free: string, paid: (plan: Plan) => string): ComparisonRow {
  const cell = (name: PlanName): string => {
    const plan: Plan = PLANS[name];
    return plan.models.length === 0 ? free : paid(plan);
  };
  const [first, second, third] = PLAN_NAMES.map(cell);
  return row(what, { free: first ?? '', bobcat: second ?? '', lion: third ?? '' });
}

function limit(count: number): string {
  return count === UNLIMITED ? 'any number' : String(count);
}
