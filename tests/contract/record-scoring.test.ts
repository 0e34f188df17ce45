/** The outcome of a record, from the server's own candle history on a sandbox market whose clock the test moves. */
import { afterEach, expect, test } from 'vitest';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { type RecordBody, recordText, SLOT_S, timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import { candlePast } from '../../server/market/candles/past-candles.ts';
import { openScoring } from '../../server/record/scoring/score-records.ts';
import type { RecordResolution, ScoreStore } from '../../server/record/scoring/score-store.ts';
import { aBaselineTable, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { testLog } from '../support/database/database.ts';
import { type MarketStack, startMarketStack } from '../support/market/market-stack.ts';

const never = new AbortController().signal;
const BTC = symbolNamed('BTC');
const TABLE = aBaselineTable();
const MINUTE_MS = 60_000;

const stacks: MarketStack[] = [];
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.close()));
});

async function open(options: Parameters<typeof startMarketStack>[0] = {}): Promise<MarketStack> {
  const stack = await startMarketStack(options);
  stacks.push(stack);
  return stack;
}

/** What the house issues in the next slot's minute. */
async function issue(stack: MarketStack): Promise<RecordBody> {
  const slot = Math.ceil(stack.clock.ms / 1000 / SLOT_S) * SLOT_S;
  stack.clock.ms = slot * 1000 + 3000;
  const { candles, marketKind } = await stack.history.latest(BTC, 450, never);
  const last = candles.at(-1);
  expect(last?.time).toBe(slot - MINUTE_S);
  const [body] = makeRecords({
    ...{ syms: [BTC.sym], models: ['lion'], firstSlotS: slot, market: marketKind },
    change: () => ({ close: String(last?.close) }),
  }).bodies;
  if (body === undefined) throw new Error('no record');
  return body;
}

/** @param venueId as the forecast's document names it */
async function score(
  stack: MarketStack,
  body: RecordBody,
  venueId: string | null = null,
): Promise<RecordResolution | undefined> {
  const resolved: RecordResolution[] = [];
  const store: ScoreStore = {
    due: async () =>
      resolved.length === 0
        ? [{ seq: body.seq, sym: body.sym, timeframe: timeframeOfRecord(body), body: recordText(body), venueId }]
        : [],
    resolve: async (resolutions) => void resolved.push(...resolutions),
    giveUp: async () => 0,
  };
  const past = candlePast({ history: stack.history, store: null });
  const deps = { past, kindOf: () => body.market, clock: stack.clock, marketClock: stack.clock, log: testLog };
  await openScoring(store, { ...deps, tableOf: () => TABLE }).scoreDue(never);
  return resolved[0];
}

test("scores a record with the market's own candles after 50 minutes, despite clock jumps", async () => {
  const stack = await open();
  const body = await issue(stack);
  const { venueId } = await stack.history.latest(BTC, 450, never);

  stack.clock.ms += 30 * MINUTE_MS;
  expect(await score(stack, body, venueId)).toMatchObject({ state: 'later' });
  stack.clock.ms += 21 * MINUTE_MS;
  const resolution = await score(stack, body, venueId);

  const market = await stack.venue.candles(BTC, 100, never);
  const outcome = market.filter(({ time }) => time >= body.slot && time < body.slot + HORIZON_BARS * MINUTE_S);
  expect(resolution).toEqual({ seq: 1, state: 'known', score: scoreRecord(body, outcome, TABLE) });
});

test('catches up after 23 hours of downtime, and voids records as candles-gone after 26', async () => {
  const stack = await open();
  const body = await issue(stack);

  stack.clock.ms += 23 * 60 * MINUTE_MS;
  expect(await score(stack, body)).toMatchObject({ state: 'known' });
  stack.clock.ms += 3 * 60 * MINUTE_MS;
  expect(await score(stack, body)).toEqual({ seq: 1, state: 'void', reason: 'candles-gone' });
});

test("voids a record as venue-changed when the sandbox's seed has changed since", async () => {
  const body = await issue(await open());
  const other = await open({ seed: 'another' });
  other.clock.ms = (body.slot + 51 * MINUTE_S) * 1000;

  expect(await score(other, body)).toEqual({ seq: 1, state: 'void', reason: 'venue-changed' });
});
