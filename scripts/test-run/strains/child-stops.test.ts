import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { descendantsOf, type ListedProcess, startedByTests } from './child-processes.ts';
import { startChildStops } from './child-stops.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('finds every process that a test process started, and no test process', () => {
  const all: ListedProcess[] = [
    { pid: 10, parent: 1, command: 'node test-repeat.ts' },
    { pid: 11, parent: 10, command: 'node node_modules/.bin/vitest run' },
    { pid: 12, parent: 11, command: 'node (vitest 1)' },
    { pid: 13, parent: 12, command: 'node scripts/start.ts' },
    { pid: 14, parent: 13, command: 'node inference-process.ts' },
    { pid: 15, parent: 10, command: 'postgres' },
    { pid: 16, parent: 1, command: 'node scripts/start.ts --demo' },
  ];

  expect(startedByTests(all, 10)).toEqual([13, 14, 15]);
  expect(descendantsOf(all, 10).map(({ pid }) => pid)).toEqual([11, 12, 13, 14, 15]);
});

test('stops each process many times for 0.2 to 2 s, and lets it run in between', () => {
  const { processes, acts } = recorded();

  const end = startChildStops(1, processes);
  vi.advanceTimersByTime(120_000);
  end();

  const own = acts.filter(({ pid }) => pid === 20);
  const lengths = own.flatMap(({ act, atMs }, at) => (act === 'stop' ? [(own[at + 1]?.atMs ?? 0) - atMs] : []));
  expect(lengths.length).toBeGreaterThan(10);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(199);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2001);
});

test('draws the same stops again for the same seed, and others for another', () => {
  const actsOf = (seed: number) => {
    const { processes, acts, startedMs } = recorded();
    const end = startChildStops(seed, processes);
    vi.advanceTimersByTime(10_000);
    end();
    return acts.map((one) => ({ ...one, atMs: one.atMs - startedMs }));
  };

  expect(actsOf(1)).toEqual(actsOf(1));
  expect(actsOf(2)).not.toEqual(actsOf(1));
});

test('leaves every process running at its end', () => {
  const { processes, acts } = recorded();
  const end = startChildStops(1, processes);
  vi.advanceTimersByTime(5000);

  end();
  const last = new Map(acts.map(({ pid, act }) => [pid, act]));
  vi.advanceTimersByTime(5000);

  expect([...new Set(last.values())]).toEqual(['continue']);
  expect(new Map(acts.map(({ pid, act }) => [pid, act]))).toEqual(last);
});

function recorded() {
  const acts: { pid: number; act: 'stop' | 'continue'; atMs: number }[] = [];
  const record = (act: 'stop' | 'continue') => (pid: number) => {
    acts.push({ pid, act, atMs: Date.now() });
  };
  const list = () => [20, 21, 22].map((pid) => ({ pid, parent: process.pid, command: 'node server.ts' }));
  return { processes: { list, stop: record('stop'), continue: record('continue') }, acts, startedMs: Date.now() };
}
