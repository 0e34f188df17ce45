/** The load itself (tests/load): that it counts what it says, and runs. Its figures are measured by command, not here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ageOfSizeMs, sizeOf } from '../load/paced-book-venue.ts';
import { TimeCounts } from '../load/time-counts.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('a time told as the size of a level gives its age back, also where the sizes begin again', () => {
  const sentMs = fc.integer({ min: 1_700_000_000_000, max: 2_000_000_000_000 });
  fc.assert(
    fc.property(sentMs, fc.integer({ min: 0, max: 3_600_000 }), (atMs, ageMs) => {
      expect(ageOfSizeMs(Number(sizeOf(atMs)), atMs + ageMs)).toBe(ageMs);
    }),
  );
});

test('shares of counted times are what sorting them says, within a bucket', () => {
  const times = fc.array(fc.double({ min: 0, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, (all) => {
      const counts = new TimeCounts();
      for (const ms of all) counts.add(ms);
      const sorted = all.toSorted((a, b) => a - b);
      const figures = counts.figures();
      for (const [share, counted] of [
        [0.5, figures.p50Ms],
        [0.99, figures.p99Ms],
      ] as const) {
        const wanted = sorted[Math.ceil(share * all.length) - 1] ?? Number.NaN;
        expect(counted).toBeGreaterThanOrEqual(wanted - 1e-9);
        expect((counted ?? 0) - wanted).toBeLessThanOrEqual(wanted < 999.9 ? 0.1 + 1e-9 : 10.1);
      }
      expect(figures.count).toBe(all.length);
    }),
  );
});

test('a small load runs through: every socket, stream and sign-up of it, and the figures against the bounds', async () => {
  const env = { SOCKETS: '20', STREAMS: '6', STREAM_ARRIVAL_MS: '500', PAGES: '0', SIGN_UPS: '60' };
  const child = spawn(process.execPath, [join(ROOT, 'tests/load/one-node.ts')], {
    env: { ...process.env, ...env, MINUTES: '1', MINUTE_MS: '9000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  await once(child, 'exit');

  const [line = ''] = text.split('\n');
  const counts = z.object({ counts: z.record(z.string(), z.number()), failures: z.record(z.string(), z.number()) });
  const { live, forecast, visit } = z.object({ live: counts, forecast: counts, visit: counts }).parse(JSON.parse(line));
  expect(live.counts).toEqual({ frames: expect.any(Number), open: 20 });
  // Two a second for each of twenty.
  expect(live.counts.frames).toBeGreaterThan(150);
  expect(forecast.counts.finished).toBe(6);
  expect(visit.counts.accounts).toBeGreaterThan(4);
  expect([live, forecast, visit].map(({ failures }) => failures)).toEqual([{}, {}, {}]);
  expect(text).toContain('"worstMinute"');
}, 90_000);
