import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../server/platform/config/config.ts';
import { openPushSource, refuseForeignPushSandbox } from './push-source.ts';

const configOf = (choice: Config['push']['choice'], host = '127.0.0.1'): Config => {
  const config = readConfig({ HOST: host });
  return { ...config, push: { ...config.push, choice } };
};

test.each([
  ['off', '127.0.0.1', false, null, 'off'],
  ['live', '127.0.0.1', false, { kind: 'live' }, 'sent through the browsers’ push services'],
  ['auto', '127.0.0.1', true, { kind: 'live' }, 'sent through the browsers’ push services'],
  ['auto', '0.0.0.0', false, { kind: 'live' }, 'sent through the browsers’ push services'],
] as const)(
  'starts no sandbox for PUSH=%s on %s, live market: %s',
  async (choice, host, usesLiveMarket, source, line) => {
    const opened = await openPushSource(configOf(choice, host), usesLiveMarket);

    expect(opened.source).toEqual(source);
    expect(opened.line('http://127.0.0.1:1')).toBe(line);
    await expect(opened.close()).resolves.toBeUndefined();
  },
);

test('refuses a sandbox that other machines can reach', () => {
  expect(() => refuseForeignPushSandbox(configOf('sandbox', '0.0.0.0'))).toThrow(
    'PUSH=sandbox is only for a server that no other machine can reach.',
  );
  expect(() => refuseForeignPushSandbox(configOf('sandbox'))).not.toThrow();
  expect(() => refuseForeignPushSandbox(configOf('auto', '0.0.0.0'))).not.toThrow();
});
