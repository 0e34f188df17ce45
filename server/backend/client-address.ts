/** Where a request comes from, as the socket says. Headers are not asked: anybody can write them. */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { addressKey } from '../platform/rate-limit.ts';

export function clientAddress(c: Context): string {
  // Without a socket (a request made in this process) all callers count as one.
  if (typeof c.env !== 'object' || c.env === null || !('incoming' in c.env)) return 'local';
  const address = getConnInfo(c).remote.address;
  return address === undefined ? 'unknown' : addressKey(address);
}
