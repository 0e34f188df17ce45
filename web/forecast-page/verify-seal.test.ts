import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { sealedRecord } from '#domain/record/ledger/record-files.ts';
import { SEALED_DAY, type SealedDay, sealedDay } from '../testing/sealed-day-fixtures.ts';
import { verifySeal } from './verify-seal.ts';

const fetchMock = vi.fn<(url: string) => Promise<Response>>();
let day: SealedDay;
beforeAll(async () => {
  day = await sealedDay(3);
});
beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock.mockReset());
  return () => vi.unstubAllGlobals();
});

const serve = (text: string) => fetchMock.mockImplementation(async () => new Response(text));
const fileOf = (seq: number): { record: string; hash: string } & Record<string, unknown> =>
  JSON.parse(day.recordText(seq));

test('verifies a record’s text against the hash of the page, and its signed day', async () => {
  serve(day.recordText(2));

  expect(await verifySeal(2, fileOf(2).hash)).toBe(
    'Verified here, in your browser: the record’s text gives this hash. It is part of its day’s signed statement.',
  );
  expect(fetchMock).toHaveBeenCalledExactlyOnceWith('/record/records/2.json');
});

test('says that a day is not signed yet', async () => {
  const file = fileOf(2);
  serve(JSON.stringify({ ...file, proof: null }));

  expect(await verifySeal(2, file.hash)).toBe(
    'Verified here, in your browser: the record’s text gives this hash. Its day is not signed yet.',
  );
});

test('reports a changed text', async () => {
  const file = fileOf(2);
  serve(JSON.stringify({ ...file, record: file.record.replace('97120.4', '97121.4') }));

  expect(await verifySeal(2, file.hash)).toMatch(
    /^The check failed: [a-z-]+(, [a-z-]+)*\. The full check has the details\.$/,
  );
});

test('reports a record that was exchanged for another, though that one is valid', async () => {
  serve(day.recordText(3));

  expect(await verifySeal(3, fileOf(2).hash)).toBe(
    'The record has another hash than this page. Store both: one of them was changed.',
  );
});

test('claims nothing of a sealed record but its hash', async () => {
  const [model] = MODEL_NAMES;
  const slot = Date.parse(`${SEALED_DAY}T12:00Z`) / 1000;
  const body = { seq: 7, slot, tf: undefined, issued: slot * 1000, sym: 'BTCUSDT.P', model, version: `${model}-1` };
  const sealed = sealedRecord({ ...body, role: 'serving', market: 'live' }, 'a'.repeat(64));
  serve(
    JSON.stringify({ record: null, sealed, hash: sealed.hash, document: null, score: null, proof: null, keys: [] }),
  );

  expect(await verifySeal(7, sealed.hash)).toBe(
    'The record is sealed under this hash. Store this page to compare it when it opens.',
  );
});

test.each([
  ['is refused', () => new Response('{}', { status: 429 })],
  ['holds something else', () => Response.json({ hash: 'a' })],
])('fails when the file %s', async (_what, answer) => {
  fetchMock.mockImplementation(async () => answer());

  await expect(verifySeal(2, fileOf(2).hash)).rejects.toThrow();
});

test('says that nothing was checked where the browser computes no hashes', async () => {
  vi.stubGlobal('crypto', {});

  expect(await verifySeal(2, 'a')).toBe('Browsers only compute hashes over HTTPS, so nothing was checked.');
  expect(fetchMock).not.toHaveBeenCalled();
});
