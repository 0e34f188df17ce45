/** The rules of `work-classes.ts` below, at and past the capacity of hosts of any speed, in simulated time. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WORK_CLASSES } from '#domain/errors/shed.ts';
import { WORK_RULES } from '../work-classes.ts';
import { type SimulatedLoad, simulateLoad } from './testing/simulated-load.ts';

/** A refusal waits for the end of the loop's turn. */
const TURN_MS = 50;

afterEach(() => {
  vi.unstubAllGlobals();
});

const simulate = (timesCapacity: number, slowness: number, more: Partial<SimulatedLoad> = {}) =>
  simulateLoad({ timesCapacity, slowness, ...more }, (name, value) => vi.stubGlobal(name, value));

describe.each([1, 2, 10])('a host that takes %i times as long', (slowness) => {
  test('refuses nothing below its capacity', () => {
    for (const { begun, refused } of Object.values(simulate(0.4, slowness))) {
      expect(begun).toBeGreaterThan(0);
      expect(refused).toBe(0);
    }
  });

  test.each([2, 4])('serves its capacity at %i times that, and refuses instead of letting a crowd wait', (times) => {
    const [full, over] = [simulate(1, slowness), simulate(times, slowness)];

    expect(over.call.begun).toBeGreaterThan(0.75 * full.call.begun);
    expect(over.call.refused).toBeGreaterThan(over.call.begun / 2);
    expect(over.call.waitP99Ms).toBeLessThanOrEqual(WORK_RULES.call.maxWaitMs + TURN_MS);
    expect(over.stream.waitP99Ms).toBeLessThanOrEqual(WORK_RULES.stream.maxWaitMs + TURN_MS);
  });
});

describe.each([1, 2])('a host that takes %i times as long', (slowness) => {
  test.each(WORK_CLASSES)('serves others while one address sends four times what it can serve of %s', (name) => {
    const alone = simulate(0.4, slowness, { addresses: 30 });
    const beside = simulate(0.4, slowness, { addresses: 30, flood: { name, timesCapacity: 4 } });

    for (const one of WORK_CLASSES) {
      expect(beside[one].refused, one).toBeLessThanOrEqual(alone[one].begun / 50);
      expect(beside[one].begun, one).toBeGreaterThan(0.97 * alone[one].begun);
      expect(beside[one].waitP99Ms, one).toBeLessThan(one === 'stream' ? 300 : 100);
    }
  });
});
