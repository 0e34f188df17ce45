import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROBE_LIMIT_MS, PROBE_PAUSE_MS, SUSPECT_AFTER_MS, silenceWatch, TICK_MS } from './silence-watch.ts';

interface OpenProbe {
  signal: AbortSignal;
  end: (isAnswered: boolean) => void;
}

/** A watch whose time passes only when the test moves it. */
function aWatch() {
  let ms = 0;
  let tick: (() => void) | null = null;
  const told: string[] = [];
  const probes: OpenProbe[] = [];
  const watch = silenceWatch({
    probe(signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      probes.push({ signal, end: resolve });
      return promise;
    },
    onSilent: () => told.push('silent'),
    onHeard: () => told.push('heard'),
    monotonicMs: () => ms,
    every(next) {
      expect(tick).toBeNull();
      tick = next;
      return () => {
        tick = null;
      };
    },
  });
  const open = () => probes.filter(({ signal }) => !signal.aborted);
  const settled = () => new Promise((wake) => setImmediate(wake));
  return {
    ...{ watch, told, open },
    count: () => probes.length,
    isTicking: () => tick !== null,
    async pass(durationMs: number) {
      for (const endMs = ms + durationMs; ms < endMs; ) {
        ms += TICK_MS;
        tick?.();
        await settled();
      }
    },
    /** Stops the process for a while, and then continues. */
    async standStill(durationMs: number) {
      ms += durationMs;
      tick?.();
      await settled();
    },
    async answerProbe(isAnswered: boolean) {
      open().at(-1)?.end(isAnswered);
      await settled();
    },
    /** @returns a function that ends the wait, and whether the wait was aborted */
    ask() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const asked = { isGivenUp: false, end: resolve };
      const giveUp = () => {
        asked.isGivenUp = true;
        reject(new Error('given up'));
      };
      watch.wait(promise, giveUp).catch(() => undefined);
      return asked;
    },
  };
}

test('declares a database silent that answers neither queries nor a probe, and aborts waiting queries', async () => {
  const { watch, told, ask, pass } = aWatch();
  const first = ask();
  await pass(1000);
  const second = ask();

  await pass(SUSPECT_AFTER_MS - 1000 + PROBE_LIMIT_MS - TICK_MS);
  expect([watch.isSilent(), first.isGivenUp, second.isGivenUp]).toEqual([false, false, false]);
  await pass(TICK_MS);

  expect([watch.isSilent(), first.isGivenUp, second.isGivenUp]).toEqual([true, true, true]);
  expect(ask().isGivenUp).toBe(true);
  expect(told).toEqual(['silent']);
});

test('does not declare silence during a slow statement while the probe is answered', async () => {
  const { watch, told, ask, pass, answerProbe, open } = aWatch();
  const slow = ask();

  for (let round = 0; round < 40; round++) {
    await pass(SUSPECT_AFTER_MS);
    expect(open()).toHaveLength(1);
    await answerProbe(true);
  }

  expect([watch.isSilent(), slow.isGivenUp, told]).toEqual([false, false, []]);
});

test('sends no probe while other queries are answered', async () => {
  const { watch, ask, pass, count } = aWatch();
  ask();
  for (let round = 0; round < 20; round++) {
    await pass(SUSPECT_AFTER_MS - TICK_MS);
    watch.heard();
  }
  expect(count()).toBe(0);
});

test('accepts an answer that arrives during the probe, whatever the probe’s outcome', async () => {
  const { watch, ask, pass } = aWatch();
  ask();
  await pass(SUSPECT_AFTER_MS + TICK_MS);
  watch.heard();
  await pass(PROBE_LIMIT_MS);
  expect(watch.isSilent()).toBe(false);
});

test('probes a silent database repeatedly, and lets queries through after the first answer', async () => {
  const { watch, told, ask, pass, answerProbe, count } = aWatch();
  ask();
  await pass(SUSPECT_AFTER_MS + PROBE_LIMIT_MS);
  await pass(2 * (PROBE_PAUSE_MS + PROBE_LIMIT_MS) + PROBE_PAUSE_MS);
  expect([watch.isSilent(), count()]).toEqual([true, 4]);

  await answerProbe(true);

  expect(told).toEqual(['silent', 'heard']);
  expect(ask().isGivenUp).toBe(false);
});

test('does not take the process’s own pause for silence', async () => {
  const { watch, ask, pass, standStill, answerProbe, count } = aWatch();
  ask();
  await standStill(60_000);
  expect(count()).toBe(0);
  await pass(SUSPECT_AFTER_MS);
  await standStill(60_000);
  expect(watch.isSilent()).toBe(false);
  await answerProbe(true);
  expect(watch.isSilent()).toBe(false);
});

test('stops its timer while nothing waits, and does not count that time as silence', async () => {
  const { watch, ask, pass, isTicking, count } = aWatch();
  ask().end();
  await pass(2 * TICK_MS);
  expect(isTicking()).toBe(false);
  await pass(60_000);
  ask();
  await pass(SUSPECT_AFTER_MS - TICK_MS);
  expect([count(), watch.isSilent()]).toEqual([0, false]);
});

type Happening = 'ask' | 'answered' | 'heard' | 'probe answered' | 'probe fails' | { passMs: number };
const happenings = fc.array(
  fc.oneof(
    fc.constantFrom<Happening>('ask', 'answered', 'heard', 'probe answered', 'probe fails'),
    fc.record({ passMs: fc.integer({ min: 1, max: 16 }).map((ticks) => ticks * TICK_MS) }),
  ),
  { maxLength: 40 },
);

test('sends one probe at a time, leaves no query waiting in silence, and alternates silent and heard', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (all) => {
      const { watch, told, ask, pass, answerProbe, open, isTicking } = aWatch();
      const asked: ReturnType<typeof ask>[] = [];
      const ended = new Set<ReturnType<typeof ask>>();
      for (const what of all) {
        if (what === 'ask') asked.push(ask());
        else if (what === 'heard') watch.heard();
        else if (what === 'probe answered') await answerProbe(true);
        else if (what === 'probe fails') await answerProbe(false);
        else if (what === 'answered') {
          const next = asked.find((one) => !one.isGivenUp && !ended.has(one));
          if (next === undefined) continue;
          ended.add(next);
          next.end();
          watch.heard();
          await pass(TICK_MS);
        } else await pass(what.passMs);

        expect(open().length).toBeLessThanOrEqual(1);
        expect(told).toEqual(told.map((_, nth) => (nth % 2 === 0 ? 'silent' : 'heard')));
        expect(watch.isSilent()).toBe(told.at(-1) === 'silent');
        if (watch.isSilent()) {
          expect(asked.every((one) => one.isGivenUp || ended.has(one))).toBe(true);
          // No query starts during silence, so that only the watch itself can end it.
          expect(isTicking()).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});
