import * as z from 'zod/mini';

/**
 * `band-broken`: a minute of a saved forecast closes outside its 95% band. `prediction-resolved`: the outcome of a
 * saved prediction is known, or never will be. Both apply to one prediction or to all of the user's. `models-disagree`:
 * the house forecasts of one symbol and slot point in different directions, each further than a round trip costs.
 */
export const ALERT_KINDS = ['band-broken', 'prediction-resolved', 'models-disagree'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const MOST_ALERT_RULES = 50;

export const channels = { byMail: z.boolean(), byPush: z.boolean() };
/** A rule as list-alerts and save-alert-rule return it. */
export const alertRuleSchema = z.object({
  id: z.guid(),
  kind: z.enum(ALERT_KINDS),
  /** Null: every prediction of the user; always null for models-disagree. */
  predictionId: z.nullable(z.guid()),
  /** The product's own symbol code; set for models-disagree only. */
  sym: z.nullable(z.string()),
  ...channels,
});
export type AlertRule = z.infer<typeof alertRuleSchema>;
