import * as z from 'zod/mini';
import { MODEL_NAMES } from '../forecast/models.ts';

/**
 * `band-broken`: a minute of a saved forecast closes outside its 95% band. `prediction-resolved`: the outcome of a
 * saved prediction is known, or never will be. Both apply to one prediction or to all of the user's. `models-disagree`:
 * the house forecasts of one symbol and slot point in different directions, each further than a round trip costs.
 * `chance-reached`: something about a price becomes likelier than a share that the user set. `market-opens`: the next
 * opening of a closed market. Its rule ends with its alert. `release-due`: a scheduled
 * release comes in a few minutes, within a saved forecast of the user.
 */
export const ALERT_KINDS = [
  'band-broken',
  'prediction-resolved',
  'models-disagree',
  'chance-reached',
  'market-opens',
  'release-due',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const MOST_ALERT_RULES = 50;

export const CHANCE_EVENTS = ['touch', 'above', 'below'] as const;
export type ChanceEvent = (typeof CHANCE_EVENTS)[number];

/** When a rule about a chance raises an alert, by a model's one-minute forecast. */
export const ruleChanceSchema = z.object({
  model: z.enum(MODEL_NAMES),
  /** `touch`: reached by that minute. `above`, `below`: the minute closes there. */
  event: z.enum(CHANCE_EVENTS),
  price: z.number(),
  /** Minutes ahead. */
  bar: z.int(),
  percent: z.int(),
});
export type RuleChance = z.infer<typeof ruleChanceSchema>;

export const channels = { byMail: z.boolean(), byPush: z.boolean() };
/** A rule as list-alerts and save-alert-rule return it. */
export const alertRuleSchema = z.object({
  id: z.guid(),
  kind: z.enum(ALERT_KINDS),
  /** Null: every prediction of the user; always null for rules about a symbol, and for release-due. */
  predictionId: z.nullable(z.guid()),
  /** The product's own symbol code; set for models-disagree, chance-reached and market-opens only. */
  sym: z.nullable(z.string()),
  /** Set for chance-reached only. */
  chance: z.optional(z.nullable(ruleChanceSchema)),
  ...channels,
});
export type AlertRule = z.infer<typeof alertRuleSchema>;
