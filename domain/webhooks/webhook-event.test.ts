import { expect, test } from 'vitest';
import type { AlertFacts } from '../alerts/alert.ts';
import { testBody, type WebhookFacts, webhookBody, webhookFactsSchema } from './webhook-event.ts';

const SITE = 'https://kat.example';
const HEAD = { id: 'evt_1', createdMs: Date.UTC(2026, 10, 20, 14, 32, 1, 5) };
const JOIN_S = Date.UTC(2026, 10, 20, 14, 31) / 1000;
const SAVED: Extract<WebhookFacts, { event: 'prediction.created' }>['facts'] = {
  id: '7',
  sym: 'BTCUSDT.P',
  model: 'kat2_4',
  joinS: JOIN_S,
  timeframe: '1min',
  market: 'live',
  // As PostgreSQL writes a moment into JSON.
  savedAt: '2026-11-20T15:32:00.25+01:00',
};

const bodyOf = (event: WebhookFacts): Record<string, Record<string, unknown>> =>
  JSON.parse(webhookBody(HEAD, webhookFactsSchema.parse(event), SITE));

test('names the event, its id and its time around the data', () => {
  expect(bodyOf({ event: 'prediction.created', facts: SAVED })).toMatchObject({
    id: 'evt_1',
    type: 'prediction.created',
    created: '2026-11-20T14:32:01.005Z',
  });
});

test('gives a saved prediction by the name of its model, with times in UTC', () => {
  expect(bodyOf({ event: 'prediction.created', facts: SAVED }).data).toEqual({
    prediction: {
      id: '7',
      sym: 'BTCUSDT.P',
      model: 'lion',
      timeframe: '1min',
      market: 'live',
      lastCandle: '2026-11-20T14:31:00.000Z',
      savedAt: '2026-11-20T14:32:00.250Z',
    },
  });
});

test('keeps the name of a model that this version does not know', () => {
  expect(bodyOf({ event: 'prediction.created', facts: { ...SAVED, model: 'kat9' } }).data).toMatchObject({
    prediction: { model: 'kat9' },
  });
});

test('gives the outcome beside the prediction', () => {
  const { data } = bodyOf({
    event: 'prediction.resolved',
    facts: {
      ...SAVED,
      state: 'void',
      reason: 'market-closed',
      score: null,
      resolvedAt: '2026-11-20T15:25:00Z',
      isReturned: true,
    },
  });

  expect(data).toMatchObject({ prediction: { id: '7' } });
  expect(data?.outcome).toEqual({
    state: 'void',
    reason: 'market-closed',
    score: null,
    resolvedAt: '2026-11-20T15:25:00.000Z',
    isReturned: true,
  });
});

test('gives an alert as its text, its facts and a link to our site', () => {
  const facts: AlertFacts = {
    kind: 'models-disagree',
    marketKind: 'live',
    sym: 'ETHUSDT.P',
    slotS: JOIN_S,
    costBp: 10.2,
  };
  const { data } = bodyOf({ event: 'alert.created', facts: { id: 12, facts, madeAt: '2026-11-20T14:31:30Z' } });

  expect(data?.alert).toEqual({
    id: 12,
    madeAt: '2026-11-20T14:31:30.000Z',
    title: 'Models disagree about ETH',
    facts,
    text: expect.stringContaining('14:31 UTC'),
    url: 'https://kat.example/track-record',
  });
});

test('gives an issued forecast with the address of its record', () => {
  const issued = {
    seq: 31,
    sym: 'BTCUSDT.P',
    model: 'bobcat',
    version: 'b-1',
    timeframe: '1min',
    market: 'live',
  } as const;
  const { data } = bodyOf({
    event: 'forecast.issued',
    facts: { ...issued, slotS: JOIN_S, issuedMs: HEAD.createdMs, hash: '0a1b' },
  });

  expect(data?.forecast).toEqual({
    ...issued,
    slot: '2026-11-20T14:31:00.000Z',
    issuedAt: '2026-11-20T14:32:01.005Z',
    hash: '0a1b',
    url: 'https://kat.example/record/records/31.json',
  });
});

test('says in a test that nothing happened', () => {
  expect(JSON.parse(testBody(HEAD))).toEqual({
    id: 'evt_1',
    type: 'endpoint.test',
    created: '2026-11-20T14:32:01.005Z',
    data: { message: 'You requested this test. No event happened.' },
  });
});
