import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { callerAddress } from './forwarded-address.ts';

function aRequest(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor;
  return request;
}

test.each([
  ['192.0.2.1', undefined, 0, '192.0.2.1'],
  ['192.0.2.1', '198.51.100.7', 0, '192.0.2.1'],
  ['192.0.2.1', '203.0.113.9, 198.51.100.7', 1, '198.51.100.7'],
  ['192.0.2.1', '203.0.113.9, 198.51.100.7:4711', 2, '203.0.113.9'],
  ['192.0.2.1', 'nobody', 1, '192.0.2.1'],
  ['192.0.2.1', '198.51.100.7', 2, '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2'],
  ['127.0.0.1', undefined, 0, null],
  ['::ffff:127.0.0.1', undefined, 0, null],
  ['::1', undefined, 1, null],
  ['127.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
])('counts %s with %s behind %i proxies as %s', (remote, forwarded, proxies, expected) => {
  expect(callerAddress(aRequest(remote, forwarded), proxies)).toBe(expected);
});
