/** Events that users can have sent to an address of theirs, and the body of each request. docs/decisions/078-webhooks.md */
import * as z from 'zod/mini';
import { alertFactsSchema } from '../alerts/alert.ts';
import { describeAlert } from '../alerts/alert-messages.ts';
import { modelOfBackendName } from '../forecast/models.ts';
import { MARKET_KINDS } from '../market/symbols.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { VOID_REASONS } from '../record/scoring/outcome.ts';
import { pathScoreSchema } from '../record/scoring/scoring.ts';
import { TEST_EVENT } from './webhook-event-names.ts';

const savedSchema = {
  id: z.string(),
  sym: z.string(),
  /** Backend name. */
  model: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  market: z.enum(MARKET_KINDS),
  joinS: z.number(),
  savedAt: z.string(),
};

/** An event as the database's triggers write it. */
export const webhookFactsSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('prediction.created'), facts: z.object(savedSchema) }),
  z.object({
    event: z.literal('prediction.resolved'),
    facts: z.object({
      ...savedSchema,
      state: z.enum(['known', 'void']),
      reason: z.nullable(z.enum(VOID_REASONS)),
      score: z.nullable(pathScoreSchema),
      resolvedAt: z.string(),
      isReturned: z.boolean(),
    }),
  }),
  z.object({
    event: z.literal('alert.created'),
    facts: z.object({ id: z.number(), facts: alertFactsSchema, madeAt: z.string() }),
  }),
  z.object({
    event: z.literal('forecast.issued'),
    facts: z.object({
      seq: z.number(),
      sym: z.string(),
      model: z.string(),
      version: z.string(),
      timeframe: z.enum(TIMEFRAMES),
      market: z.enum(MARKET_KINDS),
      slotS: z.number(),
      issuedMs: z.number(),
      hash: z.string(),
    }),
  }),
]);
export type WebhookFacts = z.infer<typeof webhookFactsSchema>;

export interface WebhookHead {
  /** The same in every try. */
  id: string;
  createdMs: number;
}

/** The text of a request. @param siteUrl  origin of the site, without a trailing slash */
export function webhookBody(head: WebhookHead, event: WebhookFacts, siteUrl: string): string {
  return bodyText(head, event.event, dataOf(event, siteUrl));
}

/** The text of a request that its receiver's owner requested. */
export function testBody(head: WebhookHead): string {
  return bodyText(head, TEST_EVENT, { message: 'You requested this test. No event happened.' });
}

function bodyText({ id, createdMs }: WebhookHead, type: string, data: Record<string, unknown>): string {
  return JSON.stringify({ id, type, created: isoOf(createdMs), data });
}

function dataOf(event: WebhookFacts, siteUrl: string): Record<string, unknown> {
  switch (event.event) {
    case 'prediction.created':
      return { prediction: savedOf(event.facts) };
    case 'prediction.resolved': {
      const { state, reason, score, resolvedAt, isReturned } = event.facts;
      const outcome = { state, reason, score, resolvedAt: isoOf(Date.parse(resolvedAt)), isReturned };
      return { prediction: savedOf(event.facts), outcome };
    }
    case 'alert.created': {
      const { id, facts, madeAt } = event.facts;
      const { title, text, path } = describeAlert(facts);
      return { alert: { id, madeAt: isoOf(Date.parse(madeAt)), title, text, url: `${siteUrl}${path}`, facts } };
    }
    case 'forecast.issued': {
      const { slotS, issuedMs, ...forecast } = event.facts;
      const times = { slot: isoOf(slotS * 1000), issuedAt: isoOf(issuedMs) };
      return { forecast: { ...forecast, ...times, url: `${siteUrl}/record/records/${forecast.seq}.json` } };
    }
  }
}

function savedOf({ id, sym, model, timeframe, market, joinS, savedAt }: z.infer<z.ZodMiniObject<typeof savedSchema>>) {
  return {
    id,
    sym,
    model: modelOfBackendName(model)?.name ?? model,
    timeframe,
    market,
    lastCandle: isoOf(joinS * 1000),
    savedAt: isoOf(Date.parse(savedAt)),
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
