import { expect, test, vi } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { openInProcessBus } from '../../../platform/processes/bus.ts';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { joinSessions, liveSessions, sharedSessions } from './live-sessions.ts';

const log = createLogger('silent');
const CLOCK = { nowMs: () => 1_800_000_000_000 };
const SESSION = '00000000-0000-4000-8000-00000000000a';
const USER = '00000000-0000-4000-8000-0000000000aa';

function twoProcesses() {
  const bus = openInProcessBus({ log });
  const row = { userId: USER, isBanned: false, hasSecondFactor: false, isRaised: false };
  const database = { query: vi.fn(async () => [{ ...row }]) };
  const make = () => joinSessions(liveSessions(database as unknown as Database, CLOCK), bus);
  return { bus, row, database, here: make(), there: make() };
}

test('refuses a session that another process ended without a database query', async () => {
  const { here, there } = twoProcesses();
  expect(await there.stateOf(SESSION)).toBe('live');

  here.end([SESSION], 60_000);

  expect(await here.stateOf(SESSION)).toBe('ended');
  await vi.waitFor(async () => expect(await there.stateOf(SESSION)).toBe('ended'));
});

test('drops a changed user’s cached state in every process', async () => {
  const { here, there, row } = twoProcesses();
  expect((await there.statusOf(SESSION)).hasSecondFactor).toBe(false);
  row.hasSecondFactor = true;

  here.forgetUser(USER);

  await vi.waitFor(async () => expect((await there.statusOf(SESSION)).hasSecondFactor).toBe(true));
  row.hasSecondFactor = false;
  here.forgetAll();
  await vi.waitFor(async () => expect((await there.statusOf(SESSION)).hasSecondFactor).toBe(false));
});

test('ignores malformed messages', async () => {
  const { bus, there, database } = twoProcesses();
  await there.stateOf(SESSION);
  for (const message of ['all', { ended: SESSION }, null]) bus.publish('sessions', message);
  await vi.waitFor(() => expect(bus.state().failed).toBe(6));
  expect(await there.stateOf(SESSION)).toBe('live');
  expect(database.query).toHaveBeenCalledTimes(1);
});

test('publishes nothing when there is only one process', () => {
  const own = liveSessions({} as Database, CLOCK);
  expect(sharedSessions(own, openInProcessBus({ log }))).toBe(own);
  expect(sharedSessions(own, undefined)).toBe(own);
});
