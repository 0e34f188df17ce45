import { expect, test } from 'vitest';
import { type DevSources, devRoutes } from './dev-routes.ts';
import { readConfig } from './platform/config/config.ts';

const chat = {
  pagesUrl: 'http://127.0.0.1:9',
  telegram: { url: 'http://127.0.0.1:9/telegram', token: 't' },
  discord: { url: 'http://127.0.0.1:9/discord', token: 'd' },
};
const everything: DevSources = {
  mailbox: { smtpUrl: 'smtp://127.0.0.1:9', url: 'http://127.0.0.1:9' },
  push: { kind: 'sandbox', url: 'http://127.0.0.1:9' },
  webhookSandboxUrl: 'http://127.0.0.1:9',
  chat,
  marketFaultsUrl: 'http://127.0.0.1:9/control/faults',
  communityFaultsUrl: 'http://127.0.0.1:9/control/community',
  chatFaultsUrl: 'http://127.0.0.1:9/control/chat',
};
const pages = ['/dev/mailbox', '/dev/push', '/dev/webhooks', '/dev/telegram', '/dev/discord'];
const faults = ['/dev/market-faults', '/dev/community-faults', '/dev/chat-faults'];

const pathsOf = (sources: DevSources, env: Record<string, string> = {}) =>
  devRoutes(readConfig(env), sources).map((app) => app.routes[0]?.path);

test('shows every sandbox to users of this machine, and fault controls only if they are switched on', () => {
  expect(pathsOf(everything)).toEqual(pages);
  expect(pathsOf(everything, { DEVELOPMENT: 'faults' })).toEqual([...pages, ...faults]);
});

test('shows none of them where other machines can reach the site', () => {
  expect(pathsOf(everything, { HOST: '0.0.0.0', DEVELOPMENT: 'faults' })).toEqual([]);
});

test('shows only sandboxes that run', () => {
  expect(pathsOf({}, { DEVELOPMENT: 'faults' })).toEqual([]);
  expect(pathsOf({ push: { kind: 'live' } })).toEqual([]);
  expect(pathsOf({ chat: { ...chat, telegram: null } })).toEqual(['/dev/discord']);
  expect(pathsOf({ chat: { ...chat, discord: null } })).toEqual(['/dev/telegram']);
});
