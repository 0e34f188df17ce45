/** The cost of crowds: `npm run lab -- stress node` with one kind of load at rising counts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { type CrowdSeries, type Point, rounded, SECONDS } from './series.ts';

/** The line that `npm run lab -- stress node` prints after each minute. */
const minuteSchema = z.object({
  minute: z.int(),
  cores: z.number(),
  databaseCores: z.number(),
  residentMib: z.number(),
});
type Minute = z.infer<typeof minuteSchema>;

const NODE = join(import.meta.dirname, '../one-node.ts');

/** What the server costs without a crowd is left out. */
export async function measureCrowds(series: CrowdSeries): Promise<Point[]> {
  const idle = await measureOnce(series.settings(0));
  const points: Point[] = [];
  for (const count of series.counts) {
    const busy = await measureOnce(series.settings(count));
    const perSecond = series.perSecond(count);
    const costMs = (of: (minute: Minute) => number): number =>
      rounded((Math.max(0, of(busy) - of(idle)) * 1000) / perSecond);
    points.push({
      count,
      serverMs: costMs(({ cores }) => cores),
      databaseMs: costMs(({ databaseCores }) => databaseCores),
      residentMib: busy.residentMib,
    });
  }
  return points;
}

/** The second of two measurements: the first fills caches and compiles. */
async function measureOnce(settings: Readonly<Record<string, number>>): Promise<Minute> {
  const env = { ...settings, MINUTES: 2, MINUTE_MS: SECONDS * 1000 };
  const child = spawn(process.execPath, [NODE], {
    env: {
      ...process.env,
      DATABASE: 'postgres',
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A missed bound also ends it with 1; only its measurements count here.
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const minutes = printed
    .split('\n')
    .filter((line) => line.startsWith('{"minute"'))
    .map((line) => minuteSchema.parse(JSON.parse(line)));
  const last = minutes.at(-1);
  if (last === undefined) throw new Error(`the load printed no measurement:\n${printed.slice(-2000)}`);
  return last;
}
