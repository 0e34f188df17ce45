/** Alert rules of users in the database. Every statement names the user, so another user's rule is never found. */
import * as z from 'zod/mini';
import { type AlertRule, alertRuleSchema, MOST_ALERT_RULES } from '#domain/alerts/alert-rule.ts';
import type { SaveAlertRule } from '#domain/alerts/save-alert-rule.ts';
import type { Queries, Transaction } from '../platform/database/database.ts';

const RULE = `r.id::text as id, r.kind, r.prediction_id::text as "predictionId", r.sym, r.chance, r.by_mail as "byMail", r.by_push as "byPush"`;

export async function rulesOf(queries: Queries, userId: string): Promise<AlertRule[]> {
  const rows = await queries.query(
    `select ${RULE} from public.alert_rules r where r.user_id = $1::text::uuid order by r.created_at, r.id`,
    [userId],
  );
  return z.array(alertRuleSchema).parse(rows);
}

export async function hasPrediction(queries: Queries, userId: string, predictionId: string): Promise<boolean> {
  const rows = await queries.query(
    'select 1 from public.user_predictions where id = $1::text::uuid and user_id = $2::text::uuid',
    [predictionId, userId],
  );
  return rows.length === 1;
}

/**
 * A rule for the same subject keeps its id and creation time. Concurrent calls of one user wait for each other, so
 * there are never more than MOST_ALERT_RULES. @returns null at that number
 * @param sinceIso earlier outcomes raise no alert: the later of our clock and the market's
 */
export async function saveRule(
  tx: Transaction,
  userId: string,
  rule: SaveAlertRule,
  sinceIso: string,
): Promise<AlertRule | null> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('alert rules of ' || $1::text, 0))`, [userId]);
  const predictionId = 'predictionId' in rule ? rule.predictionId : null;
  const sym = 'sym' in rule ? rule.sym : null;
  const chance = rule.kind === 'chance-reached' ? JSON.stringify(rule.chance) : null;
  const subject = [userId, rule.kind, predictionId, sym, rule.byMail, rule.byPush, chance];
  const changed = await tx.query(
    `update public.alert_rules r set by_mail = $5::boolean, by_push = $6::boolean
      where r.user_id = $1::text::uuid and r.kind = $2::text
        and coalesce(r.prediction_id::text, r.sym, '') = coalesce($3::text::uuid::text, $4::text, '')
        and coalesce(r.chance::text, '') = coalesce($7::text::jsonb::text, '')
     returning ${RULE}`,
    subject,
  );
  const rows =
    changed.length > 0
      ? changed
      : await tx.query(
          `insert into public.alert_rules as r (user_id, kind, prediction_id, sym, by_mail, by_push, chance, created_at)
           select $1::text::uuid, $2::text, $3::text::uuid, $4::text, $5::boolean, $6::boolean, $7::text::jsonb, $8::text::timestamptz
            where (select count(*) from public.alert_rules o where o.user_id = $1::text::uuid) < $9::int
           returning ${RULE}`,
          [...subject, sinceIso, MOST_ALERT_RULES],
        );
  return rows.length === 0 ? null : alertRuleSchema.parse(rows[0]);
}

/** @returns false for another user's rule and for a deleted one */
export async function removeRule(queries: Queries, userId: string, id: string): Promise<boolean> {
  const rows = await queries.query(
    'delete from public.alert_rules where id = $1::text::uuid and user_id = $2::text::uuid returning 1',
    [id, userId],
  );
  return rows.length === 1;
}
