/** The real process that draws pictures of forecasts: killed, hanging, crowded and idle. One picture is lost at most. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import {
  PICTURE_SHAPES,
  PICTURE_SIZES,
  PICTURE_THEMES,
  type PictureForm,
  type PictureOrder,
} from '#domain/share/forecast-picture.ts';
import { openPictures, type Pictures } from '../../server/record/share/picture/open-pictures.ts';
import type { PictureRequest } from '../../server/record/share/picture/picture-process.ts';
import { forecastContent, forecastSubject } from '../../server/record/share/testing/view-fixtures.ts';
import { testLog as log } from '../support/database/database.ts';
import { sampleSize } from '../support/run/test-size.ts';

const SUBJECT = forecastSubject();
const ORDER: PictureOrder = {
  view: { ...SUBJECT, state: 'known', content: forecastContent(SUBJECT) },
  address: 'kat.example/f/12-0a1b2c3d4e5f',
  shape: 'wide',
  theme: 'dark',
};
const IMPOSSIBLE = { ...ORDER, theme: 'none' } as unknown as PictureOrder;

let pictures: Pictures;
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await pictures?.close();
});

/** Time passes only by `advance`, so that a slow machine reaches no limit; the process itself runs in real time. */
function withOwnTime(): { advance(ms: number): void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return { advance: (ms) => void vi.advanceTimersByTime(ms) };
}

/** The process starts within some turns of the queue, without any time. */
async function startedPid(): Promise<number> {
  for (let turns = 0; turns < 100 && pictures.pid === null; turns += 1) await Promise.resolve();
  return pictures.pid ?? fail('no process was started');
}

function fail(message: string): never {
  throw new Error(message);
}

/** The code of the refusal. */
function refusal(drawing: Promise<unknown>): Promise<string> {
  return drawing.then(
    () => 'drawn',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('draws every form in its size, small, all in one process', async () => {
  pictures = openPictures({ log });
  const forms = PICTURE_SHAPES.flatMap((shape) => PICTURE_THEMES.map((theme): PictureForm => ({ shape, theme })));
  const drawn = await Promise.all(forms.map((form) => pictures.draw({ ...ORDER, ...form })));
  const pid = pictures.pid;

  for (const [i, png] of drawn.entries()) {
    const { format, width, height } = await sharp(png).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', ...PICTURE_SIZES[forms[i]?.shape ?? 'wide'] });
    expect(png.length).toBeLessThan(60 * 1024);
  }
  expect(new Set(drawn.map((png) => Buffer.from(png).toString('base64'))).size).toBe(forms.length);
  expect(pictures.drawn).toBe(forms.length);
  await pictures.draw(ORDER);
  expect(pictures.pid).toBe(pid);
  expect(pid).not.toBe(process.pid);
});

test('loses one picture when its process is killed, and draws the waiting one in a new process', async () => {
  pictures = openPictures({ log });
  const [lost, waiting] = [refusal(pictures.draw(ORDER)), pictures.draw(ORDER)];
  const killed = await startedPid();
  process.kill(killed, 'SIGKILL');

  expect(await lost).toBe('share/no-picture');
  expect((await waiting).length).toBeGreaterThan(1000);
  expect(pictures.pid).not.toBe(killed);
});

test('starts a new process after one that ended between two pictures', async () => {
  pictures = openPictures({ log });
  await pictures.draw(ORDER);
  process.kill(pictures.pid ?? fail('no process'), 'SIGKILL');
  await expect.poll(() => pictures.pid).toBeNull();

  expect((await pictures.draw(ORDER)).length).toBeGreaterThan(1000);
});

test('goes on in the same process after an order that cannot be drawn', async () => {
  pictures = openPictures({ log });
  await pictures.draw(ORDER);
  const pid = pictures.pid;

  expect(await refusal(pictures.draw(IMPOSSIBLE))).toBe('share/no-picture');
  expect((await pictures.draw(ORDER)).length).toBeGreaterThan(1000);
  expect(pictures.pid).toBe(pid);
});

test('kills a process that hangs past the limit, and draws the next picture in another', async () => {
  const time = withOwnTime();
  pictures = openPictures({ log, timeoutMs: 10_000 });
  await pictures.draw(ORDER);
  const hanging = pictures.pid ?? fail('no process');
  process.kill(hanging, 'SIGSTOP');
  const [late, next] = [refusal(pictures.draw(ORDER)), pictures.draw(ORDER)];
  await Promise.resolve();
  time.advance(9999);
  expect(pictures.pid).toBe(hanging);
  time.advance(1);

  expect(await late).toBe('share/no-picture');
  expect((await next).length).toBeGreaterThan(1000);
  expect(pictures.pid).not.toBe(hanging);
  await expect.poll(() => isAlive(hanging)).toBe(false);
});

test('refuses the 65th picture of a crowd immediately, and those that wait when it closes', async () => {
  pictures = openPictures({ log });
  const crowd = Array.from({ length: 64 }, () => refusal(pictures.draw(ORDER)));
  expect(await refusal(pictures.draw(ORDER))).toBe('request/too-many');
  expect(pictures.drawn).toBe(0);
  const pid = await startedPid();

  await pictures.close();

  expect(new Set(await Promise.all(crowd))).toEqual(new Set(['share/no-picture']));
  expect(isAlive(pid)).toBe(false);
  expect(await refusal(pictures.draw(ORDER))).toBe('share/no-picture');
  expect(pictures.pid).toBeNull();
});

test('ends the process after a minute without a picture, and not while one is drawn', async () => {
  const time = withOwnTime();
  pictures = openPictures({ log, idleMs: 60_000, timeoutMs: 600_000 });
  await pictures.draw(ORDER);
  const pid = pictures.pid ?? fail('no process');
  time.advance(59_999);
  const second = pictures.draw(ORDER);
  await Promise.resolve();
  time.advance(60_000);
  expect((await second).length).toBeGreaterThan(1000);
  expect(pictures.pid).toBe(pid);

  time.advance(60_000);
  expect(pictures.pid).toBeNull();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('holds no memory of the pictures that it drew', async () => {
  // As the server's start script sets it.
  vi.stubEnv('MALLOC_ARENA_MAX', '2');
  pictures = openPictures({ log });
  const draw = async (count: number) => {
    for (let i = 0; i < count; i += 1) await pictures.draw({ ...ORDER, shape: i % 2 === 0 ? 'wide' : 'square' });
    return residentMb(pictures.pid ?? fail('no process'));
  };
  const before = await draw(sampleSize(6, 20));
  const after = await draw(sampleSize(12, 20));

  expect(after).toBeLessThan(MAX_RESIDENT_MB);
  expect(after - before).toBeLessThan(MAX_RISE_MB);
});

/** Twelve pictures are 45 MB before they are compressed. Measured for twenty: 7 more, and 178 in all after 300. */
const MAX_RISE_MB = 40;
const MAX_RESIDENT_MB = 260;

function residentMb(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
}

test('outlives signals of a terminal, and ends with its server', async () => {
  const entry = fileURLToPath(new URL('../../server/record/share/picture/picture-process.ts', import.meta.url));
  const child = fork(entry, { execArgv: [], serialization: 'advanced', stdio: 'ignore' });
  const ended = once(child, 'exit');
  const answer = async (id: number) => {
    const answered = once(child, 'message');
    child.send({ id, order: ORDER } satisfies PictureRequest);
    return (await answered)[0] as { id: number };
  };
  expect((await answer(1)).id).toBe(1);
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect((await answer(2)).id).toBe(2);

  child.disconnect();
  expect(await ended).toEqual([0, null]);
});
