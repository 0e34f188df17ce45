import { expect, test } from 'vitest';
import { readConfig, SettingsRefused } from './config.ts';

const development = (DEVELOPMENT: string) => readConfig({ DEVELOPMENT }).development;

test('changes nothing without the setting', () => {
  expect(development('')).toEqual({
    hasTestClock: false,
    hasFaultControl: false,
    isPatient: false,
    hasMarketDays: false,
    community: 'auto',
    speed: 1,
    sinceMs: null,
    seed: 'kat',
    startMs: null,
  });
});

test('reads switches and values from one list', () => {
  expect(
    development(
      'clock, faults,patient,market-days,speed=60 ,since=2025-05-03T00:00:00Z,seed=a b,start=2025-05-04T00:00:00Z,community=live',
    ),
  ).toEqual({
    hasTestClock: true,
    hasFaultControl: true,
    isPatient: true,
    hasMarketDays: true,
    community: 'live',
    speed: 60,
    sinceMs: Date.parse('2025-05-03T00:00:00Z'),
    seed: 'a b',
    startMs: Date.parse('2025-05-04T00:00:00Z'),
  });
});

test.each([
  ['a market that does not move', 'speed=0', /speed is not valid/],
  ['a market that races', 'speed=3601', /speed is not valid/],
  ['a start that is no time', 'start=yesterday', /start is not valid/],
  ['a moment that is no time', 'since=yesterday', /since is not valid/],
  ['a switch with a value', 'clock=1', /clock is not valid/],
  ['another community', 'community=maybe', /community is not valid/],
  ['an unknown switch', 'clok', /DEVELOPMENT only takes clock, faults/],
  ['a switch that is there twice', 'speed=1,speed=2', /names speed twice/],
])('refuses %s', (_what, list, message) => {
  expect(() => development(list)).toThrow(SettingsRefused);
  expect(() => development(list)).toThrow(message);
});
