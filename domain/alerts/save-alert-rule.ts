/** Apart from the rule that it saves, because no page checks what it sends. */
import * as z from 'zod/mini';
import { HORIZON_BARS } from '../forecast/window.ts';
import { SYMBOLS } from '../market/symbols.ts';
import { channels, ruleChanceSchema } from './alert-rule.ts';

const sym = z.string().check(z.refine((text) => SYMBOLS.some((known) => known.sym === text), 'No such symbol'));

/** A market around the clock never opens. */
const closing = z
  .string()
  .check(
    z.refine((text) => SYMBOLS.some(({ sym: known, hours }) => known === text && hours !== 'always'), 'Never closed'),
  );

const chance = z.strictObject({
  ...ruleChanceSchema.shape,
  price: z.number().check(z.positive(), z.lt(1e12)),
  bar: z.int().check(z.minimum(1), z.maximum(HORIZON_BARS)),
  percent: z.int().check(z.minimum(1), z.maximum(99)),
});

/** Body of save-alert-rule, which replaces a rule for the same thing. `predictionId` null: all of the user's. */
export const saveAlertRuleSchema = z.union([
  z.strictObject({ kind: z.literal('band-broken'), predictionId: z.nullable(z.guid()), ...channels }),
  z.strictObject({ kind: z.literal('prediction-resolved'), predictionId: z.nullable(z.guid()), ...channels }),
  z.strictObject({ kind: z.literal('models-disagree'), sym, ...channels }),
  z.strictObject({ kind: z.literal('chance-reached'), sym, chance, ...channels }),
  z.strictObject({ kind: z.literal('market-opens'), sym: closing, ...channels }),
  z.strictObject({ kind: z.literal('release-due'), ...channels }),
]);
export type SaveAlertRule = z.infer<typeof saveAlertRuleSchema>;
