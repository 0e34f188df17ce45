import * as z from 'zod/mini';
import { alertListSchema } from '../alerts/alert.ts';
import { alertRuleSchema } from '../alerts/alert-rule.ts';
import { saveAlertRuleSchema } from '../alerts/save-alert-rule.ts';
import { doneSchema, EXAMPLE_ID, functionContract } from './function-contract.ts';

const alertNumber = z.int().check(z.nonnegative());

export const ALERT_FUNCTIONS = {
  'list-alerts': functionContract({
    body: z.optional(z.strictObject({ after: z.optional(alertNumber) })),
    answer: alertListSchema,
    refusals: [],
    acceptsGet: true,
    example: { after: 0 },
    docs: {
      sends: '`{after?}`: a number',
      gets: '`{ok, rules, alerts, unread}`: all rules, oldest first; the newest 50 alerts with a higher number than `after`, each `{id, facts, madeAt, isRead}`; the total of unread alerts',
    },
  }),
  'save-alert-rule': functionContract({
    body: saveAlertRuleSchema,
    answer: z.object({ ok: z.literal(true), rule: alertRuleSchema }),
    refusals: [
      ...(['alerts/too-many-rules', 'alerts/no-such-prediction', 'forecast/model-locked'] as const),
      ...(['quota/daily-spent', 'quota/monthly-spent', 'request/too-many', 'alerts/market-open'] as const),
    ],
    example: { kind: 'models-disagree', sym: 'BTCUSDT.P', byMail: true, byPush: false },
    docs: {
      sends:
        '`{kind: "band-broken" or "prediction-resolved", predictionId, byMail, byPush}`, `predictionId` null for all the caller’s predictions; `{kind: "models-disagree", sym, byMail, byPush}`; `{kind: "chance-reached", sym, chance: {model, event, price, bar, percent}, byMail, byPush}`, where `event` is `touch`, `above` or `below`; `{kind: "market-opens", sym, byMail, byPush}` for a market that closes, which is sent once and then removed; `{kind: "release-due", byMail, byPush}` for all the caller’s running predictions',
      gets: '`{ok, rule}`; a rule for the same subject keeps its id and gets the new channels',
      refused: {
        'alerts/too-many-rules': '50',
        'alerts/no-such-prediction': 'another user’s, or deleted',
        'forecast/model-locked': 'a chance by a model outside the plan',
        'request/too-many': '100 an hour',
        'alerts/market-open': 'the market is open now',
      },
    },
  }),
  'remove-alert-rule': functionContract({
    body: z.strictObject({ id: z.guid() }),
    answer: doneSchema,
    refusals: ['alerts/no-such-rule'],
    example: { id: EXAMPLE_ID },
    docs: {
      sends: '`{id}`',
      gets: '`{ok: true}`',
      refused: { 'alerts/no-such-rule': 'another user’s, or deleted' },
    },
  }),
  'read-alerts': functionContract({
    body: z.strictObject({ upTo: alertNumber }),
    answer: doneSchema,
    refusals: [],
    example: { upTo: 1 },
    docs: { sends: '`{upTo}`: a number', gets: '`{ok: true}`; marks it and all earlier alerts as read' },
  }),
};
