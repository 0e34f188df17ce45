import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { forwardedAddress } from '../platform/http/guards/forwarded-address.ts';
import { addressKey } from '../platform/http/guards/rate-limit.ts';

export type ClientAddress = (c: Context) => string;

export const clientAddress: ClientAddress = clientAddressBehind(0);

/** @param trustedProxies how many of our own proxies each add their caller's address; 0: the header is not read */
export function clientAddressBehind(trustedProxies: number): ClientAddress {
  return (c) => addressKey(forwardedAddress(c.req.header('x-forwarded-for'), trustedProxies) ?? socketAddress(c));
}

function socketAddress(c: Context): string {
  // Without a socket (a request made in this process), all callers share one key.
  if (typeof c.env !== 'object' || c.env === null || !('incoming' in c.env)) return 'local';
  return getConnInfo(c).remote.address ?? 'unknown';
}
