/** A user's own alerts: list-alerts, save-alert-rule, remove-alert-rule, read-alerts. */
import * as z from 'zod/mini';
import type { AlertList } from '#domain/alerts/alert.ts';
import { saveAlertRuleSchema } from '#domain/alerts/alert-rule.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { Clock } from '#domain/time/clock.ts';
import { asOwner, type Database, OWNER } from '../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../platform/http/calls/server-function.ts';
import { alertsOf, markRead, unreadOf } from './alert-list-store.ts';
import { hasPrediction, removeRule, rulesOf, saveRule } from './alert-rules-store.ts';
import { latestMs } from './alert-time.ts';

export interface AlertFunctionDeps {
  database: Database;
  /** The product's clock. */
  clock: Clock;
  /** The market's clock; the same as the product's unless recordings are replayed. */
  marketClock: Clock;
}

const number = z.int().check(z.nonnegative());

export function alertFunctions({ database, clock, marketClock }: AlertFunctionDeps): ServerFunction[] {
  const queries = asOwner(database);
  return [
    /** Answers as alertListSchema. Uses GET without `after`. */
    serverFunction({
      name: 'list-alerts',
      body: z.optional(z.strictObject({ after: z.optional(number) })),
      acceptsGet: true,
      async handle({ body, caller: { userId } }) {
        const rules = await rulesOf(queries, userId);
        const alerts = await alertsOf(queries, userId, body?.after ?? 0);
        return { ok: true, rules, alerts, unread: await unreadOf(queries, userId) } satisfies AlertList;
      },
    }),
    /** Answers `{ok, rule}`. */
    serverFunction({
      name: 'save-alert-rule',
      body: saveAlertRuleSchema,
      refusals: ['alerts/too-many-rules', 'alerts/no-such-prediction'],
      async handle({ body, caller: { userId } }) {
        const predictionId = body.kind === 'models-disagree' ? null : body.predictionId;
        const sinceIso = new Date(latestMs({ clock, marketClock })).toISOString();
        const rule = await database.transaction(OWNER, async (tx) => {
          if (predictionId !== null && !(await hasPrediction(tx, userId, predictionId)))
            throw new AppError('alerts/no-such-prediction');
          return await saveRule(tx, userId, body, sinceIso);
        });
        if (rule === null) throw new AppError('alerts/too-many-rules');
        return { ok: true, rule };
      },
    }),
    /** Answers `{ok}`. */
    serverFunction({
      name: 'remove-alert-rule',
      body: z.strictObject({ id: z.guid() }),
      refusals: ['alerts/no-such-rule'],
      async handle({ body, caller: { userId } }) {
        if (!(await removeRule(queries, userId, body.id))) throw new AppError('alerts/no-such-rule');
        return { ok: true };
      },
    }),
    /** Answers `{ok}` and marks all up to that number as read. */
    serverFunction({
      name: 'read-alerts',
      body: z.strictObject({ upTo: number }),
      async handle({ body, caller: { userId } }) {
        await markRead(queries, userId, body.upTo, new Date(clock.nowMs()).toISOString());
        return { ok: true };
      },
    }),
  ];
}
