import { expect, test } from 'vitest';
import { notificationHub } from './notification-hub.ts';
import type { SqlSession } from './sql/sql-session.ts';

/** A session that notes what it is sent. */
function noting(sent: string[]): SqlSession {
  const send = async (text: string) => {
    sent.push(text);
    return { rows: [], command: '' };
  };
  return { isBroken: false, send, end: async () => {}, destroy: () => {} };
}

test('after a reconnect every listener is told, because what was said meanwhile is lost', async () => {
  const sent: string[] = [];
  const hub = notificationHub((work) => work(noting(sent)));
  const heard: string[] = [];
  await hub.listen('pgrst', (payload) => heard.push(`catalogue ${payload}`));
  await hub.listen('mail', (payload) => heard.push(`mail ${payload}`));

  await hub.listenAgain(noting(sent));

  expect(sent).toEqual(['listen "pgrst"', 'listen "mail"', 'listen "pgrst"', 'listen "mail"']);
  expect(heard).toEqual(['catalogue ', 'mail ']);
});

test('the first session of a channel tells nobody: nothing was missed', async () => {
  const heard: string[] = [];
  const hub = notificationHub(async (work) => {
    await hub.listenAgain(noting([]));
    return work(noting([]));
  });

  await hub.listen('pgrst', (payload) => heard.push(payload));

  expect(heard).toEqual([]);
});

test('while the database is away a listener can still be taken off', async () => {
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

test('who could not listen is not told later', async () => {
  let isAway = true;
  const heard: string[] = [];
  const hub = notificationHub(async (work) => {
    if (isAway) throw new Error('the database is away');
    return work(noting([]));
  });
  await expect(hub.listen('pgrst', (payload) => heard.push(payload))).rejects.toThrow('away');
  isAway = false;

  await hub.listenAgain(noting([]));
  hub.deliver('pgrst', 'reload');

  expect(heard).toEqual([]);
});
