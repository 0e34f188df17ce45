/** What a user wants to be told, and by which ways. In the page it is always told. */
import * as z from 'zod/mini';
import { SYMBOLS } from '../market/symbols.ts';

/**
 * `band-broken`: a minute of a saved forecast closes outside its 95 % band. `prediction-resolved`: what came of a saved
 * prediction is known, or never will be. Both for one prediction, or for every one of the user's. `models-disagree`: the
 * house's forecasts of one symbol and slot point to different sides, each further than a round trip costs.
 */
export const ALERT_KINDS = ['band-broken', 'prediction-resolved', 'models-disagree'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Of one user. */
export const MOST_ALERT_RULES = 50;

const channels = { byMail: z.boolean(), byPush: z.boolean() };
const sym = z.string().check(z.refine((text) => SYMBOLS.some((known) => known.sym === text), 'No such symbol'));

/** Body of save-alert-rule: a rule for the same thing is replaced. `predictionId` null: every prediction of the user's. */
export const saveAlertRuleSchema = z.union([
  z.strictObject({ kind: z.literal('band-broken'), predictionId: z.nullable(z.guid()), ...channels }),
  z.strictObject({ kind: z.literal('prediction-resolved'), predictionId: z.nullable(z.guid()), ...channels }),
  z.strictObject({ kind: z.literal('models-disagree'), sym, ...channels }),
]);
export type SaveAlertRule = z.infer<typeof saveAlertRuleSchema>;

/** As list-alerts and save-alert-rule tell it. */
export const alertRuleSchema = z.object({
  id: z.guid(),
  kind: z.enum(ALERT_KINDS),
  /** Null: every prediction of the user's; always null for models-disagree. */
  predictionId: z.nullable(z.guid()),
  /** The product's own code; of models-disagree alone. */
  sym: z.nullable(z.string()),
  ...channels,
});
export type AlertRule = z.infer<typeof alertRuleSchema>;
