import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { clientAddressBehind } from './client-address.ts';

async function seen(trustedProxies: number, forwardedFor: string | null, socket = '10.0.0.9'): Promise<string> {
  const addressOf = clientAddressBehind(trustedProxies);
  const app = new Hono().get('/', (c) => c.text(addressOf(c)));
  const headers: Record<string, string> = forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor };
  const incoming = { socket: { remoteAddress: socket, remotePort: 1, remoteFamily: 'IPv4' } };
  return (await app.request('/', { headers }, { incoming })).text();
}

test.each<[string, number, string | null, string]>([
  ['without proxies the header is ignored', 0, '192.0.2.1', '10.0.0.9'],
  ['one proxy: its entry is the last', 1, '192.0.2.1', '192.0.2.1'],
  ['one proxy: what a caller wrote before it is ignored', 1, '198.51.100.7, 192.0.2.1', '192.0.2.1'],
  ['two proxies: the second from the end', 2, '198.51.100.7, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
  ['more proxies than entries: a client bypassed one', 2, '192.0.2.1', '10.0.0.9'],
  ['no header', 1, null, '10.0.0.9'],
  ['an empty header', 1, '', '10.0.0.9'],
  ['an empty entry', 1, '192.0.2.1, ', '10.0.0.9'],
  ['a name', 1, 'localhost', '10.0.0.9'],
  ['garbage', 1, '192.0.2.1; drop table', '10.0.0.9'],
  ['a number that is no address', 1, '3221225985', '10.0.0.9'],
  ['a port', 1, '192.0.2.1:4711', '192.0.2.1'],
  ['IPv6 with a port counts by its network', 1, '[2001:db8:1:2::3]:4711', '2001:db8:1:2'],
  ['IPv6 counts by its network', 1, '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['IPv4 written as IPv6 is IPv4', 1, '::ffff:192.0.2.1', '192.0.2.1'],
  ['a zone', 1, 'fe80::1%eth0', 'fe80:0:0:0'],
])('finds the client address: %s', async (_what, trustedProxies, forwardedFor, expected) => {
  const address = await seen(trustedProxies, forwardedFor);

  expect(address).toBe(expected);
});

test('ignores what a caller wrote into the header, at any length', async () => {
  const own = ', 192.0.2.1';

  const addresses = await Promise.all(
    ['198.51.100.7', '1.1.1.1,'.repeat(500), '[', '%00', '\t'].map((written) => seen(1, `${written}${own}`)),
  );

  expect(new Set(addresses)).toEqual(new Set(['192.0.2.1']));
});
