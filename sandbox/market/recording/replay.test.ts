import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { openSources } from '../market-sources.ts';
import { readRecording } from './recording.ts';
import { replayedSource } from './replay.ts';

const HEADER = 'time,open,high,low,close,volume';
const START_S = Date.parse('2025-06-02T00:00:00Z') / 1000;
const NOW_S = Date.parse('2026-11-21T00:45:30Z') / 1000;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-replay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Prices that identify their row: 100.01, 100.02 ... */
const row = (timeS: number, i: number): string => {
  const price = (100 + i / 100).toFixed(2);
  return `${timeS},${price},${price}5,99.5,${price},${i}.125`;
};
const minutes = (count: number, fromS = START_S): string[] =>
  Array.from({ length: count }, (_, i) => row(fromS + i * 60, i));

async function write(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, gzipSync([HEADER, ...lines].join('\n')));
  return path;
}

test('plays every value of the file unchanged, in order, the next one now', async () => {
  const lines = minutes(2000);
  const recording = await readRecording(await write('a.gz', lines));

  const replay = replayedSource(recording, 'always', NOW_S);

  const nowMinuteS = Math.floor(NOW_S / 60) * 60;
  expect(replay.firstS).toBe(nowMinuteS - 1500 * 60);
  for (const [i, line] of lines.entries()) {
    const [time, open, high, low, close, volume] = line.split(',').map(Number);
    const timeS = replay.firstS + i * 60;
    expect(replay.candleAt(timeS)).toEqual({ time: timeS, open, high, low, close, volume });
    expect(replay.sourceTimeOf(timeS)).toBe(time);
  }
});

test('leaves a past of 9,000 minutes where a run is long enough, for bars of a quarter of an hour', async () => {
  const recording = await readRecording(await write('long.gz', minutes(36_000)));

  const replay = replayedSource(recording, 'always', NOW_S);

  expect(replay.firstS).toBe(Math.floor(NOW_S / 60) * 60 - 9000 * 60);
  expect(replay.rows).toBe(36_000);
});

test('stops at its end for the declared gap and starts again', async () => {
  const recording = await readRecording(await write('b.gz', minutes(1500)));

  const replay = replayedSource(recording, 'always', NOW_S);

  const playedS = replay.firstS + 1500 * 60;
  expect([replay.endS, replay.repeatS]).toEqual([playedS, playedS + 5 * 60]);
  expect(replay.candleAt(playedS - 60)?.volume).toBe(1499.125);
  for (let i = 0; i < 5; i++) expect(replay.candleAt(playedS + i * 60)).toBeNull();
  expect(replay.candleAt(replay.repeatS)?.volume).toBe(0.125);
  expect(replay.candleAt(replay.repeatS + 1499 * 60)?.volume).toBe(1499.125);
  expect(replay.candleAt(replay.firstS - 60)).toBeNull();
});

test('picks the longest unbroken run among rows from the requested start on', async () => {
  const short = minutes(800);
  const long = minutes(1200, START_S + 100_000 * 60);
  const path = await write('c.gz', [...short, ...long]);

  const all = replayedSource(await readRecording(path), 'always', NOW_S);
  const cut = replayedSource(await readRecording(path, START_S + 100_300 * 60), 'always', NOW_S);

  expect([all.rows, cut.rows]).toEqual([1200, 900]);
  expect(all.sourceTimeOf(all.firstS)).toBe(START_S + 100_000 * 60);
  expect(cut.sourceTimeOf(cut.firstS)).toBe(START_S + 100_300 * 60);
});

test('opens a share recorded in summer at half past nine in winter, and leaves a holiday empty', async () => {
  const days = Array.from({ length: 26 }, (_, i) => i).filter((day) => day % 7 < 5 && day !== 17);
  const sessions = days.flatMap((day) => minutes(390, START_S + day * 86_400 + 13.5 * 3600));
  const recording = await readRecording(await write('d.gz', sessions));
  const nowS = Date.parse('2026-11-20T15:00:20Z') / 1000;

  const replay = replayedSource(recording, 'nasdaq', nowS);

  const openS = Date.parse('2026-11-20T14:30:00Z') / 1000;
  expect(replay.candleAt(openS - 60)).toBeNull();
  expect(replay.candleAt(openS)?.volume).toBe(0.125);
  expect(new Date((replay.sourceTimeOf(openS) ?? 0) * 1000).toISOString()).toMatch(/^2025-06-\d\dT13:30:00/);
  const week = Array.from({ length: 28 }, (_, day) => replay.candleAt(openS + (day - 14) * 86_400) !== null);
  expect(week.filter((isTraded) => !isTraded).length).toBeGreaterThan(8);
});

test('drops and counts malformed rows, and keeps their neighbours', async () => {
  const good = minutes(760);
  const t = START_S + 400 * 60;
  const bad = [
    `${t},NaN,1,1,1,1`,
    `${t},,1,1,1,1`,
    `${t},-1,1,-1,1,1`,
    `${t},0,0,0,0,0`,
    `${t},5,4,3,4,1`,
    `${t},1e999,1e999,1,1,1`,
    `${t},1,1,1,1,-1`,
    `${t},1,1,1`,
    `${t + 7},1,1,1,1,1`,
    `${START_S},1,1,1,1,1`,
    `${START_S + 399 * 60},1,1,1,1,1`,
    '99999999960,1,1,1,1,1',
    'soon,1,1,1,1,1',
  ];
  const path = await write('e.gz', [...good.slice(0, 400), ...bad, ...good.slice(400)]);

  const recording = await readRecording(path);

  expect(recording.dropped).toBe(bad.length);
  expect(recording.times).toHaveLength(760);
  expect(replayedSource(recording, 'always', NOW_S).rows).toBe(760);
});

test.each([
  ['no gzip', Buffer.from('plain text')],
  ['cut off', gzipSync([HEADER, ...minutes(900)].join('\n')).subarray(0, 3000)],
  ['without its header', gzipSync(minutes(900).join('\n'))],
  ['without a line end', gzipSync('x'.repeat(100_000))],
  ['mostly bad rows', gzipSync([HEADER, ...minutes(2), 'a', 'b', 'c'].join('\n'))],
  ['empty', Buffer.alloc(0)],
  ['too short', gzipSync([HEADER, ...minutes(300)].join('\n'))],
])('logs a recording that is %s, and simulates its symbol', async (_what, bytes) => {
  const dataDir = await mkdtemp(join(folder, 'corrupt-'));
  await writeFile(join(dataDir, 'ETHUSDT.P-1m.csv.gz'), bytes);
  await writeFile(join(dataDir, 'BTCUSDT.P-1m.csv.gz'), gzipSync([HEADER, ...minutes(1100)].join('\n')));
  const lines: string[] = [];

  const listing = await openSources({
    dataDir,
    seed: 'kat',
    nowMs: NOW_S * 1000,
    startMs: null,
    log: (line) => lines.push(line),
  });

  expect(listing.map((l) => l.source.kind)).toEqual(
    SYMBOLS.map(({ label }) => (label === 'BTC' ? 'replayed' : 'simulated')),
  );
  expect(lines.find((line) => line.startsWith('ETH:'))).toMatch(/cannot be replayed \(.+\), simulated instead/);
  expect(lines.find((line) => line.startsWith('SOL:'))).toMatch(/no SOLUSDT.P-1m.csv.gz .* simulated instead/);
});
