import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { livenessWatch, PROBE_LIMIT_MS, PROBE_PAUSE_MS, SUSPECT_AFTER_MS, TICK_MS } from './liveness-watch.ts';

interface OpenProbe {
  signal: AbortSignal;
  end: (isAnswered: boolean) => void;
}

/** A watch whose time passes only when the test moves it. */
function aWatch() {
  let ms = 0;
  let tick: (() => void) | null = null;
  const events: string[] = [];
  const probes: OpenProbe[] = [];
  const watch = livenessWatch({
    probe(signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      probes.push({ signal, end: resolve });
      return promise;
    },
    onUnresponsive: () => events.push('unresponsive'),
    onResponsive: () => events.push('responsive'),
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
    watch,
    events,
    open,
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
    query() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sent = { isRefused: false, end: resolve };
      const giveUp = () => {
        sent.isRefused = true;
        reject(new Error('given up'));
      };
      watch.wait(promise, giveUp).catch(() => undefined);
      return sent;
    },
  };
}

test('declares a database unresponsive that answers neither queries nor a probe, and aborts waiting queries', async () => {
  const { watch, events, query, pass } = aWatch();
  const first = query();
  await pass(1000);
  const second = query();

  await pass(SUSPECT_AFTER_MS - 1000 + PROBE_LIMIT_MS - TICK_MS);
  expect([watch.isUnresponsive(), first.isRefused, second.isRefused]).toEqual([false, false, false]);
  await pass(TICK_MS);

  expect([watch.isUnresponsive(), first.isRefused, second.isRefused]).toEqual([true, true, true]);
  expect(query().isRefused).toBe(true);
  expect(events).toEqual(['unresponsive']);
});

test('does not declare it unresponsive during a slow statement while the probe is answered', async () => {
  const { watch, events, query, pass, answerProbe, open } = aWatch();
  const slow = query();

  for (let round = 0; round < 40; round++) {
    await pass(SUSPECT_AFTER_MS);
    expect(open()).toHaveLength(1);
    await answerProbe(true);
  }

  expect([watch.isUnresponsive(), slow.isRefused, events]).toEqual([false, false, []]);
});

test('sends no probe while other queries are answered', async () => {
  const { watch, query, pass, count } = aWatch();
  query();
  for (let round = 0; round < 20; round++) {
    await pass(SUSPECT_AFTER_MS - TICK_MS);
    watch.recordResponse();
  }
  expect(count()).toBe(0);
});

test('accepts an answer that arrives during the probe, whatever the probe’s outcome', async () => {
  const { watch, query, pass } = aWatch();
  query();
  await pass(SUSPECT_AFTER_MS + TICK_MS);
  watch.recordResponse();
  await pass(PROBE_LIMIT_MS);
  expect(watch.isUnresponsive()).toBe(false);
});

test('probes an unresponsive database repeatedly, and lets queries through after the first answer', async () => {
  const { watch, events, query, pass, answerProbe, count } = aWatch();
  query();
  await pass(SUSPECT_AFTER_MS + PROBE_LIMIT_MS);
  await pass(2 * (PROBE_PAUSE_MS + PROBE_LIMIT_MS) + PROBE_PAUSE_MS);
  expect([watch.isUnresponsive(), count()]).toEqual([true, 4]);

  await answerProbe(true);

  expect(events).toEqual(['unresponsive', 'responsive']);
  expect(query().isRefused).toBe(false);
});

test('does not take the process’s own pause for an unresponsive database', async () => {
  const { watch, query, pass, standStill, answerProbe, count } = aWatch();
  query();
  await standStill(60_000);
  expect(count()).toBe(0);
  await pass(SUSPECT_AFTER_MS);
  await standStill(60_000);
  expect(watch.isUnresponsive()).toBe(false);
  await answerProbe(true);
  expect(watch.isUnresponsive()).toBe(false);
});

test('stops its timer while nothing waits, and does not count that time', async () => {
  const { watch, query, pass, isTicking, count } = aWatch();
  query().end();
  await pass(2 * TICK_MS);
  expect(isTicking()).toBe(false);
  await pass(60_000);
  query();
  await pass(SUSPECT_AFTER_MS - TICK_MS);
  expect([count(), watch.isUnresponsive()]).toEqual([0, false]);
});

type Happening = 'query' | 'answered' | 'response' | 'probe answered' | 'probe fails' | { passMs: number };
const happenings = fc.array(
  fc.oneof(
    fc.constantFrom<Happening>('query', 'answered', 'response', 'probe answered', 'probe fails'),
    fc.record({ passMs: fc.integer({ min: 1, max: 16 }).map((ticks) => ticks * TICK_MS) }),
  ),
  { maxLength: 40 },
);

test('sends one probe at a time, leaves no query waiting while unresponsive, and alternates both events', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (all) => {
      const { watch, events, query, pass, answerProbe, open, isTicking } = aWatch();
      const sent: ReturnType<typeof query>[] = [];
      const ended = new Set<ReturnType<typeof query>>();
      for (const what of all) {
        if (what === 'query') sent.push(query());
        else if (what === 'response') watch.recordResponse();
        else if (what === 'probe answered') await answerProbe(true);
        else if (what === 'probe fails') await answerProbe(false);
        else if (what === 'answered') {
          const next = sent.find((one) => !one.isRefused && !ended.has(one));
          if (next === undefined) continue;
          ended.add(next);
          next.end();
          watch.recordResponse();
          await pass(TICK_MS);
        } else await pass(what.passMs);

        expect(open().length).toBeLessThanOrEqual(1);
        expect(events).toEqual(events.map((_, nth) => (nth % 2 === 0 ? 'unresponsive' : 'responsive')));
        expect(watch.isUnresponsive()).toBe(events.at(-1) === 'unresponsive');
        if (watch.isUnresponsive()) {
          expect(sent.every((one) => one.isRefused || ended.has(one))).toBe(true);
          // No query starts while it is unresponsive, so that only the watch itself can end it.
          expect(isTicking()).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});
