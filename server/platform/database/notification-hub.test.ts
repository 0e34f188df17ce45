import { expect, test } from 'vitest';
import { notificationHub } from './notification-hub.ts';
import type { SqlSession } from './sql/sql-session.ts';

/** A session that records what it is sent. */
function noting(sent: string[]): SqlSession {
  const send = async (text: string) => {
    sent.push(text);
    return { rows: [], command: '' };
  };
  return { isBroken: false, send, sendTogether: async () => [], end: async () => {}, destroy: () => {} };
}

test('notifies every listener after a reconnect, because notifications may have been lost', async () => {
  const sent: string[] = [];
  const hub = notificationHub((work) => work(noting(sent)));
  const received: string[] = [];
  await hub.listen('pgrst', (payload) => received.push(`catalogue ${payload}`));
  await hub.listen('mail', (payload) => received.push(`mail ${payload}`));

  await hub.listenAgain(noting(sent));

  expect(sent).toEqual(['listen "pgrst"', 'listen "mail"', 'listen "pgrst"', 'listen "mail"']);
  expect(received).toEqual(['catalogue ', 'mail ']);
});

test('does not notify a channel on its first session', async () => {
  const received: string[] = [];
  const hub = notificationHub(async (work) => {
    await hub.listenAgain(noting([]));
    return work(noting([]));
  });

  await hub.listen('pgrst', (payload) => received.push(payload));

  expect(received).toEqual([]);
});

test('removes a listener while the database is unavailable', async () => {
  let isAway = false;
  const sent: string[] = [];
  const hub = notificationHub(async (work) => {
    if (isAway) throw new Error('the database is away');
    return work(noting(sent));
  });
  const unlisten = await hub.listen('pgrst', () => {});
  isAway = true;

  await unlisten();
  await hub.listenAgain(noting(sent));

  expect(sent).toEqual(['listen "pgrst"']);
});

test('notifies no listener whose registration failed', async () => {
  let isAway = true;
  const received: string[] = [];
  const hub = notificationHub(async (work) => {
    if (isAway) throw new Error('the database is away');
    return work(noting([]));
  });
  await expect(hub.listen('pgrst', (payload) => received.push(payload))).rejects.toThrow('away');
  isAway = false;

  await hub.listenAgain(noting([]));
  hub.deliver('pgrst', 'reload');

  expect(received).toEqual([]);
});
