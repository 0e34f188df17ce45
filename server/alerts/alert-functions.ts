import * as z from 'zod/mini';
import { ALERTS_SHOWN, type Alert, alertFactsSchema } from '#domain/alerts/alert.ts';
import type { SaveAlertRule } from '#domain/alerts/save-alert-rule.ts';
import { ALERT_FUNCTIONS } from '#domain/contract/alert-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../core.ts';
import type { Chances } from '../forecast/chances/chances.ts';
import { isTradedAt } from '../market/candles/candle-history.ts';
import { asOwner, OWNER, type Queries } from '../platform/database/database.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import type { RateLimit } from '../platform/http/guards/rate-limit.ts';
import { hasPrediction, removeRule, rulesOf, saveRule } from './alert-rules-store.ts';
import { latestMs } from './alert-time.ts';

export interface AlertFunctionDeps extends Pick<Core, 'database' | 'clock' | 'limiterOf'> {
  /** The market's clock; the same as the product's unless recordings are replayed. */
  marketClock: Clock;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** Absent: rules about chances are refused. */
  chances?: Pick<Chances, 'marketOf' | 'grantOf'> | undefined;
}

type SavedChance = Extract<SaveAlertRule, { kind: 'chance-reached' }>;

/** All fifty rules in an hour, and changes of mind. A rule that is deleted and saved again counts again. */
const SAVES: RateLimit = { points: 100, perS: 60 * 60 };
const MARKET_PATIENCE_MS = 5000;

export function alertFunctions({
  database,
  clock,
  marketClock,
  kindOf,
  chances,
  limiterOf,
}: AlertFunctionDeps): ServerFunction[] {
  const queries = asOwner(database);
  const saves = limiterOf(SAVES, 'alert-rule-saves');

  async function requirePlan({ sym, chance: { model } }: SavedChance, userId: string): Promise<void> {
    if (chances === undefined) throw new AppError('forecast/not-trained');
    const signal = AbortSignal.timeout(MARKET_PATIENCE_MS);
    const market = await chances.marketOf({ sym, model, timeframe: DEFAULT_TIMEFRAME }, signal);
    await chances.grantOf(market, userId);
  }

  function isMarketOpen(sym: string): boolean {
    const symbol = SYMBOLS.find((one) => one.sym === sym);
    return symbol !== undefined && isTradedAt(symbol, kindOf(symbol), marketClock.nowMs() / 1000);
  }

  return contractFunctions(ALERT_FUNCTIONS, {
    async 'list-alerts'({ body, caller: { userId } }) {
      const rules = await rulesOf(queries, userId);
      const alerts = await alertsOf(queries, userId, body?.after ?? 0);
      return { rules, alerts, unread: await unreadOf(queries, userId) };
    },
    async 'save-alert-rule'({ body, caller: { userId } }) {
      await saves.consume(userId);
      const predictionId = 'predictionId' in body ? body.predictionId : null;
      if (body.kind === 'chance-reached') await requirePlan(body, userId);
      if (body.kind === 'market-opens' && isMarketOpen(body.sym)) throw new AppError('alerts/market-open');
      const sinceIso = new Date(latestMs({ clock, marketClock })).toISOString();
      const rule = await database.transaction(OWNER, async (tx) => {
        if (predictionId !== null && !(await hasPrediction(tx, userId, predictionId)))
          throw new AppError('alerts/no-such-prediction');
        return await saveRule(tx, userId, body, sinceIso);
      });
      if (rule === null) throw new AppError('alerts/too-many-rules');
      return { rule };
    },
    async 'remove-alert-rule'({ body, caller: { userId } }) {
      if (!(await removeRule(queries, userId, body.id))) throw new AppError('alerts/no-such-rule');
    },
    async 'read-alerts'({ body, caller: { userId } }) {
      await markRead(queries, userId, body.upTo, new Date(clock.nowMs()).toISOString());
    },
  });
}

const rowSchema = z.object({ id: z.coerce.number(), facts: z.unknown(), madeAt: z.string(), isRead: z.boolean() });

/** Newest first, at most ALERTS_SHOWN. @param after  only alerts with a higher number */
async function alertsOf(queries: Queries, userId: string, after: number): Promise<Alert[]> {
  const rows = await queries.query(
    `select a.id, a.facts, a.read_at is not null as "isRead",
       to_char(a.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt"
     from public.alerts a where a.user_id = $1::text::uuid and a.id > $2::bigint order by a.id desc limit $3::int`,
    [userId, after, ALERTS_SHOWN],
  );
  return z
    .array(rowSchema)
    .parse(rows)
    .flatMap(({ facts, ...row }) => {
      const known = alertFactsSchema.safeParse(facts);
      // Another version of the server may have written it: one unreadable alert must not hide the others.
      return known.success ? [{ ...row, facts: known.data }] : [];
    });
}

/** Counts all of the user's unread alerts, including those not shown. */
async function unreadOf(queries: Queries, userId: string): Promise<number> {
  const rows = await queries.query(
    'select count(*)::int as unread from public.alerts where user_id = $1::text::uuid and read_at is null',
    [userId],
  );
  return z.object({ unread: z.number() }).parse(rows[0]).unread;
}

async function markRead(queries: Queries, userId: string, upTo: number, nowIso: string): Promise<void> {
  await queries.query(
    `update public.alerts set read_at = $3::text::timestamptz
      where user_id = $1::text::uuid and id <= $2::bigint and read_at is null`,
    [userId, upTo, nowIso],
  );
}
