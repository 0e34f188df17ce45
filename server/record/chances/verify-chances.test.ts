/** Chances in the chain: their texts to the byte, and what the verifier finds when one was changed, added or misjudged. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkAbove } from '#domain/chances/baseline-chance.ts';
import { elapsedMinutes, windowEndS } from '#domain/record/chances/chance-moments.ts';
import type { ChanceScore } from '#domain/record/chances/chance-score.ts';
import { readAnyRecord } from '#domain/record/ledger/any-record.ts';
import { CHANCE_UNITS, type ChanceBody, chanceText, readChanceText } from '#domain/record/ledger/chance-text.ts';
import { readRecordText, SIGMA_UNITS } from '#domain/record/ledger/ledger.ts';
import { type SealedRecord, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { isRevealed, revealBounds } from '#domain/record/ledger/reveal.ts';
import { type ChainedChances, chainOf, makeChances, scoreOf } from '../testing/chance-fixtures.ts';
import { type PublishedDay, publishDays, recordFile } from '../testing/day-fixtures.ts';
import { makeRecords } from '../testing/record-fixtures.ts';
import { faultsOf, KEY, verify } from '../testing/verification-fixtures.ts';

const CHAIN = chainOf(makeChances({ quarters: 4 }));
const [DAY] = await publishDays(CHAIN, [KEY]);

function day(): PublishedDay {
  if (DAY === undefined) throw new Error('one day was expected');
  return DAY;
}

function bodyAt(place: number): ChanceBody {
  const body = CHAIN.bodies[place];
  if (body === undefined) throw new Error('no such chance');
  return body;
}

type Line = { record: string; score: unknown } | { sealed: SealedRecord; score: null };
const scored = (): Line[] =>
  CHAIN.bodies.map((body, i) => ({ record: CHAIN.texts[i] ?? '', score: scoreOf(CHAIN.candles, body) }));
const fileOf = (lines: readonly unknown[]): string =>
  [day().head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
const withScore = (place: number, change: (score: ChanceScore) => unknown): string =>
  fileOf(
    scored().with(place, { record: CHAIN.texts[place] ?? '', score: change(scoreOf(CHAIN.candles, bodyAt(place))) }),
  );

test('verifies a day of chances with their outcomes', async () => {
  const found = await verify(fileOf(scored()), { nowS: bodyAt(0).slot });
  expect(faultsOf(found)).toEqual([]);
  expect(found.checks).toContainEqual(expect.objectContaining({ what: 'scores', outcome: 'ok' }));
  expect(found.counts).toMatchObject({ records: 36, outcomes: 36 });
});

test('verifies one chain of forecasts and chances, and says of forecasts alone that scores were not checked', async () => {
  const records = makeRecords({ syms: ['BTCUSDT.P'], models: ['lion'] });
  const chances = chainOf(makeChances(), { seq: 1, hash: records.hashes[0] ?? '' });
  const both = {
    bodies: [...records.bodies, ...chances.bodies],
    texts: [...records.texts, ...chances.texts],
    hashes: [...records.hashes, ...chances.hashes],
    candles: new Map(),
  };
  const [mixed] = await publishDays(both, [KEY]);
  const found = await verify(mixed?.file ?? '', { nowS: bodyAt(0).slot });
  expect(faultsOf(found)).toEqual([]);
  expect(found.checks.map(({ what }) => what)).not.toContain('scores');
});

test('finds a chance that was changed', async () => {
  const changed = chanceText({ ...bodyAt(5), chance: CHANCE_UNITS / 2 + 1 });
  const found = await verify(fileOf(scored().with(5, { record: changed, score: null })));
  expect(faultsOf(found)).toEqual([
    { kind: 'chain', seq: 7 },
    { kind: 'hour-root', seq: 1 },
  ]);
});

test('finds a chance that was added, wherever it is', async () => {
  const { bodies } = chainOf(makeChances({ quarters: 4, syms: ['ETHUSDT.P'] }));
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bodies.length - 1 }), async (place) => {
      const body = bodies[place];
      if (body === undefined) throw new Error('no such chance');
      const lines = scored().toSpliced(place, 0, { record: chanceText(body), score: null });
      expect((await verify(fileOf(lines))).isSound).toBe(false);
    }),
    { numRuns: 20 },
  );
});

test.each<[string, (score: ChanceScore) => unknown, RegExp]>([
  ['another outcome', (score) => ({ ...score, isAbove: !score.isAbove }), /closed (not )?above its open/],
  ['a better Brier score', (score) => ({ ...score, brier: { ...score.brier, model: 0 } }), /does not follow/],
  ['a worse baseline', (score) => ({ ...score, log: { ...score.log, baseline: 1e9 } }), /does not follow/],
  ['a score of another form', () => ({ actual: [1] }), /invalid/],
])('finds %s', async (_what, change, message) => {
  const found = await verify(withScore(4, change));
  expect(found.findings.filter(({ kind }) => kind === 'outcome')).toEqual([
    expect.objectContaining({ severity: 'fault', seq: 5, text: expect.stringMatching(message) }),
  ]);
  expect(found.checks).toContainEqual(expect.objectContaining({ what: 'scores', outcome: 'failed' }));
});

test('notes different closes of one minute', async () => {
  // Chances of one window, a minute and three minutes after its open.
  const end = String(Number(scoreOf(CHAIN.candles, bodyAt(1)).end) + 0.01);
  const { findings } = await verify(
    withScore(1, (score) => ({ ...score, end })),
    { nowS: bodyAt(0).slot },
  );
  expect(findings.map(({ kind }) => kind)).toContain('closes-differ');
});

test('finds a backdated chance, and one of another moment', async () => {
  const late = chainOf(makeChances({ change: ({ slot }) => ({ issued: slot * 1000 + 36_000 }) }));
  const [published] = await publishDays(late, [KEY]);
  expect(new Set(faultsOf(await verify(published?.file ?? '')).map(({ kind }) => kind))).toEqual(
    new Set(['slot-minute']),
  );
  expect(readChanceText(chanceText({ ...bodyAt(0), slot: bodyAt(0).slot + 60 }))).toBeNull();
});

test('proves a single chance, sealed and revealed, to be in its signed day', async () => {
  const file = await recordFile(day(), 8);
  const score = scoreOf(CHAIN.candles, bodyAt(8));
  const sealed = { ...file, record: null, sealed: sealedRecord(bodyAt(8), file.hash) };
  const wrong = { ...file, score: { ...score, isAbove: !score.isAbove } };
  expect(faultsOf(await verify(JSON.stringify({ ...file, score })))).toEqual([]);
  expect(faultsOf(await verify(JSON.stringify({ ...file, score }), { against: JSON.stringify(sealed) }))).toEqual([]);
  expect(faultsOf(await verify(JSON.stringify(wrong)))).toEqual([{ kind: 'outcome', seq: 9 }]);
});

test('finds a revealed chance that is not the one committed to', async () => {
  const sealedLines = CHAIN.bodies.map((body, i) => ({
    sealed: sealedRecord(body, CHAIN.hashes[i] ?? ''),
    score: null,
  }));
  const other: ChainedChances = chainOf(makeChances({ quarters: 4, change: ({ chance }) => ({ chance: chance + 1 }) }));
  const [rewritten] = await publishDays(other, [KEY]);
  const sealedCopy = fileOf(sealedLines);
  const against = `${JSON.stringify({ ...day().head, statement: null, signature: null })}\n${sealedCopy.split('\n').slice(1).join('\n')}`;

  expect(faultsOf(await verify(fileOf(scored()), { against }))).toEqual([]);
  expect(faultsOf(await verify(rewritten?.file ?? '', { against }))).toEqual([{ kind: 'not-committed', seq: 1 }]);
});

test('reads a text back to the byte, and no other text', () => {
  const [text = ''] = CHAIN.texts;
  expect(chanceText(readChanceText(text) ?? bodyAt(1))).toBe(text);
  expect(readRecordText(text)).toBeNull();
  expect(readAnyRecord(text)).toEqual(bodyAt(0));
  for (const bad of [
    text.replace('"v":3', '"v":2'),
    text.replace('"window":5', '"window":15'),
    text.replace('"window":5', '"window":60'),
    text.replace(/"chance":\d+/, '"chance":0'),
    text.replace(/"chance":\d+/, `"chance":${CHANCE_UNITS}`),
    text.replace(/"salt":"[^"]+"/, '"salt":""'),
    text.replace('{', '{ '),
  ])
    expect(readAnyRecord(bad)).toBeNull();
  expect(Math.max(...CHAIN.texts.map(({ length }) => length))).toBeLessThan(640);
});

test('has a baseline that follows from its text', () => {
  for (const { baseline, ewma, open, close, slot, window } of CHAIN.bodies) {
    const bars = window - elapsedMinutes(slot, window);
    const found = walkAbove((ewma / SIGMA_UNITS) * Math.sqrt(bars), Math.log(Number(open) / Number(close)));
    expect(Math.abs(baseline - found * CHANCE_UNITS)).toBeLessThanOrEqual(1);
  }
});

test('is revealed when its window has closed, by the market’s clock or a minute later by ours', () => {
  for (const body of CHAIN.bodies) {
    const endMs = windowEndS(body.slot, body.window) * 1000;
    const at = (nowMs: number, marketNowMs: number | null) => isRevealed(body, revealBounds({ nowMs, marketNowMs }));
    expect([at(endMs, endMs - 1), at(endMs, endMs)]).toEqual([false, true]);
    expect([at(endMs + 61_499, null), at(endMs + 61_500, null)]).toEqual([false, true]);
  }
});
