/**
 * A plain proxy in front of a development server: visitors behind it read no emails, sign in as no other user and pay
 * nothing.
 */
import { expect, test } from 'vitest';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const warnings: string[] = [];

const server = openedForTests(async () => {
  const database = await openTestDatabase(dayDatabase);
  const started = await startWholeServer(database, {
    log: createLogger('warn', { write: (line: string) => void warnings.push(line) }),
    env: { DEVELOPMENT: 'clock,faults,patient' },
  });
  return {
    url: started.url,
    async close() {
      await started.close();
      await database.close();
    },
  };
});

const PATHS = [
  '/dev/mailbox',
  '/dev/mailbox.json',
  '/dev/%6dailbox.json',
  '/dev/clock',
  '/dev/market-faults',
  '/dev/ui',
  '/auth/v1/authorize?provider=google&skip_http_redirect=true',
  '/auth/v1/user/identities/authorize?provider=google&skip_http_redirect=true',
  '/test-payments/c/pay/cs_test_unknown',
];

async function statuses(headers: Record<string, string>) {
  const answers = await Promise.all(
    PATHS.map((path) => fetch(`${server().url}${path}`, { headers, redirect: 'manual' })),
  );
  return Object.fromEntries(PATHS.map((path, index) => [path, answers[index]?.status]));
}

test.each([
  ['X-Forwarded-For', '203.0.113.9'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Real-IP', '203.0.113.9'],
  ['Forwarded', 'for=203.0.113.9'],
  ['Via', '1.1 proxy'],
])('refuses the development pages to a request that a proxy marked with %s', async (name, value) => {
  // For a visitor there is no such provider, so the auth service returns 400.
  const refusal = (path: string) => (path.startsWith('/auth/') ? 400 : 404);
  expect(await statuses({ [name]: value })).toEqual(Object.fromEntries(PATHS.map((path) => [path, refusal(path)])));
});

test('shows the development pages to the machine itself, and other pages through the proxy', async () => {
  const own = await statuses({});
  const page = await fetch(`${server().url}/config.json`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });

  expect(own['/dev/mailbox.json']).toBe(200);
  expect(own['/dev/clock']).toBe(200);
  expect(own['/auth/v1/authorize?provider=google&skip_http_redirect=true']).toBe(200);
  expect(page.status).toBe(200);
});

test('logs the missing TRUSTED_PROXIES setting once', async () => {
  await statuses({ 'X-Forwarded-For': '203.0.113.9' });
  await statuses({ Via: '1.1 proxy' });

  expect(warnings.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1);
});
