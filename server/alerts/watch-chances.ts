/**
 * Compares chances with the shares that users set. Each market's forecast and price are read once a round, and each
 * question is computed once, however many rules have it. A market without chances now raises no alert.
 */
import type { AlertFacts } from '#domain/alerts/alert.ts';
import type { RuleChance } from '#domain/alerts/alert-rule.ts';
import { isRefusal } from '#domain/chances/refusals.ts';
import { isAppError } from '#domain/errors/app-error.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { Core } from '../core.ts';
import type { PosedMoment } from '../forecast/chances/answer-chances.ts';
import { ANY_FORECAST, requireGranted } from '../forecast/chances/chance-access.ts';
import type { ChanceSource } from '../forecast/chances/chance-forecasts.ts';
import type { Chances } from '../forecast/chances/chances.ts';
import { asOwner } from '../platform/database/database.ts';
import type { AlertTime } from './alert-time.ts';
import { type ChanceRule, chanceRules } from './chance-rules-store.ts';
import type { NewAlert } from './send-alerts.ts';

export interface WatchChancesDeps extends Pick<Core, 'database' | 'log'> {
  /** Absent: there are no chances, and rules about them raise nothing. */
  chances?: Pick<Chances, 'marketOf' | 'momentOf' | 'answer' | 'grantOf'> | undefined;
}

/** Rules whose chance was above their share when this process last checked them: only crossing it is news. */
export type ReachedRules = Set<string>;

interface PosedMarket {
  market: ChanceSource;
  at: PosedMoment;
}

interface Reached {
  chance: number;
  baseline: number;
}

/** A rule whose chance has risen above its share. */
interface Crossing {
  rule: ChanceRule;
  posed: PosedMarket;
  answer: Reached;
}

const BATCH = 1000;

/** Runs one round. @param send  receives the alerts batch by batch */
export async function watchChances(
  { database, chances, log }: WatchChancesDeps,
  reached: ReachedRules,
  time: AlertTime,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (chances === undefined) return;
  const markets = new Map<string, Promise<PosedMarket | null>>();
  const answers = new Map<string, Reached | null>();
  const seen = new Set<string>();

  async function posedMarket({ sym, chance: { model } }: ChanceRule): Promise<PosedMarket | null> {
    if (chances === undefined) return null;
    try {
      const market = await chances.marketOf({ sym, model, timeframe: DEFAULT_TIMEFRAME }, signal);
      return { market, at: await chances.momentOf(market, signal, ANY_FORECAST) };
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error)) log.error({ err: error, sym }, 'the chances of a market could not be computed');
      return null;
    }
  }

  function marketOf(rule: ChanceRule): Promise<PosedMarket | null> {
    const key = `${rule.sym} ${rule.chance.model}`;
    const known = markets.get(key) ?? posedMarket(rule);
    markets.set(key, known);
    return known;
  }

  function answerOf({ sym, chance: { model, event, price, bar } }: ChanceRule, at: PosedMoment): Reached | null {
    const key = [sym, model, event, price, bar].join(' ');
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = chances?.answer({ kind: event, price, bar }, at);
    const found = answer === undefined || isRefusal(answer) || !('chance' in answer) ? null : answer;
    answers.set(key, found);
    return found;
  }

  /** @returns null for a rule that is not news */
  async function crossingOf(rule: ChanceRule): Promise<Crossing | null> {
    seen.add(rule.id);
    const posed = await marketOf(rule);
    const answer = posed === null ? null : answerOf(rule, posed.at);
    // Without a chance now, what was reached before stays so: a halted market must not make it news again.
    if (posed === null || answer === null) return null;
    if (answer.chance * 100 <= rule.chance.percent) {
      reached.delete(rule.id);
      return null;
    }
    return reached.has(rule.id) ? null : { rule, posed, answer };
  }

  function alertOf({ rule, posed, answer }: Crossing): NewAlert {
    reached.add(rule.id);
    return {
      userId: rule.userId,
      ruleId: rule.id,
      subject: subjectOf(rule, time),
      facts: factsOf(rule, answer, posed.at),
    };
  }

  let after: Parameters<typeof chanceRules>[1]['after'] = null;
  do {
    signal.throwIfAborted();
    const page = await chanceRules(asOwner(database), { after, limit: BATCH });
    after = page.next;
    const crossings: Crossing[] = [];
    for (const rule of page.rules) {
      const crossing = await crossingOf(rule);
      if (crossing !== null) crossings.push(crossing);
    }
    // At the same time, so that one query reads all plans.
    const plans = await Promise.all(crossings.map(({ rule, posed }) => mayRead(chances, rule.userId, posed)));
    await send(crossings.filter((_, nth) => plans[nth]).map(alertOf));
  } while (after !== null);
  for (const id of reached) if (!seen.has(id)) reached.delete(id);
}

/** As for a question: an alert tells a chance. A user without predictions left gets it from a forecast already received. */
async function mayRead(
  chances: Pick<Chances, 'grantOf'>,
  userId: string,
  { market, at }: PosedMarket,
): Promise<boolean> {
  try {
    requireGranted(await chances.grantOf(market, userId), at.source);
    return true;
  } catch (error) {
    if (isAppError(error) && !error.code.startsWith('database/')) return false;
    throw error;
  }
}

/** At most one alert an hour for each market and price, however many rules there are and were, by all processes together. */
function subjectOf({ sym, chance: { price } }: ChanceRule, { nowMs }: AlertTime): string {
  return `${sym} ${price} ${new Date(nowMs).toISOString().slice(0, 13)}`;
}

function factsOf(
  { sym, chance: rule }: ChanceRule,
  { chance, baseline }: Reached,
  { moment }: PosedMoment,
): AlertFacts {
  const { model, event, price, bar, percent }: RuleChance = rule;
  const { marketKind, price: livePrice } = moment;
  return {
    kind: 'chance-reached',
    sym,
    marketKind,
    model,
    event,
    price,
    bar,
    percent,
    chance,
    baseline,
    livePrice,
  };
}
