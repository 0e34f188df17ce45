/** Runs the load itself (lab/stress). Its figures are measured by a command, not here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const ROOT = resolve(import.meta.dirname, '../..');

test('runs a small load with all its sockets, streams and sign-ups, and checks its bounds', async () => {
  const env = { SOCKETS: '20', STREAMS: '6', STREAM_ARRIVAL_MS: '500', PAGES: '0', SIGN_UPS: '60' };
  const child = spawn(process.execPath, [join(ROOT, 'lab/stress/one-node.ts')], {
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
  // Two frames a second for each of twenty sockets.
  expect(live.counts.frames).toBeGreaterThan(150);
  expect(forecast.counts.finished).toBe(6);
  expect(visit.counts.accounts).toBeGreaterThan(4);
  expect([live, forecast, visit].map(({ failures }) => failures)).toEqual([{}, {}, {}]);
  expect(text).toContain('"worstMinute"');
});
