/** Apart from the rule that it saves, because no page checks what it sends. */
import * as z from 'zod/mini';
import { SYMBOLS } from '../market/symbols.ts';
import { channels } from './alert-rule.ts';

const sym = z.string().check(z.refine((text) => SYMBOLS.some((known) => known.sym === text), 'No such symbol'));

/** Body of save-alert-rule, which replaces a rule for the same thing. `predictionId` null: all of the user's. */
export const saveAlertRuleSchema = z.union([
  z.strictObject({ kind: z.literal('band-broken'), predictionId: z.nullable(z.guid()), ...channels }),
  z.strictObject({ kind: z.literal('prediction-resolved'), predictionId: z.nullable(z.guid()), ...channels }),
  z.strictObject({ kind: z.literal('models-disagree'), sym, ...channels }),
]);
export type SaveAlertRule = z.infer<typeof saveAlertRuleSchema>;
