import { expect, test } from 'vitest';
import { venueClock } from './venue-clock.ts';

function setUp() {
  const local = { ms: 1_000_000 };
  return { local, venue: venueClock({ nowMs: () => local.ms }) };
}

test('uses the local time until the venue reports its own', () => {
  const { local, venue } = setUp();

  expect(venue.nowMs()).toBe(1_000_000);
  venue.observe(5_000_000);
  local.ms += 250;

  expect(venue.nowMs()).toBe(5_000_250);
});

test('follows a market that runs sixty times as fast', () => {
  const { local, venue } = setUp();
  venue.observe(5_000_000);
  local.ms += 1000;
  venue.observe(5_060_000);

  local.ms += 500;

  expect(venue.nowMs()).toBe(5_090_000);
});

test('keeps the pace of a real venue despite late messages', () => {
  const { local, venue } = setUp();
  for (let i = 0; i <= 20; i++) {
    venue.observe(5_000_000 + i * 1000 - (i % 3) * 15);
    local.ms += 1000;
  }

  local.ms += 10_000;

  expect(Math.abs(venue.nowMs() - 5_031_000)).toBeLessThan(100);
});

test('restarts when the local clock is set back or the venue reports nonsense', () => {
  const { local, venue } = setUp();
  venue.observe(5_000_000);
  local.ms -= 3_600_000;
  venue.observe(5_001_000);
  local.ms += 1000;

  expect(venue.nowMs()).toBe(5_002_000);
  venue.observe(0);
  local.ms += 1000;
  expect(venue.nowMs()).toBe(1000);
});

test('follows the local clock backwards before the venue reports again', () => {
  const { local, venue } = setUp();
  venue.observe(5_000_000);

  local.ms -= 3_600_000;

  expect(venue.nowMs()).toBe(1_400_000);
});

test('follows a venue that sets its clock back immediately, at pace 1', () => {
  const { local, venue } = setUp();
  venue.observe(5_000_000);
  local.ms += 20_000;
  venue.observe(5_010_000);
  local.ms += 1000;
  venue.observe(5_005_000);

  local.ms += 10_000;

  expect(venue.nowMs()).toBe(5_015_000);
});
