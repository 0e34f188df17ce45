/**
 * The address a request comes from: the socket's or, behind our own proxies, the address that the outermost of them
 * saw.
 */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { forwardedAddress } from '../platform/http/guards/forwarded-address.ts';
import { addressKey } from '../platform/http/guards/rate-limit.ts';

export type ClientAddress = (c: Context) => string;

/** Without a proxy: the socket's address. */
export const clientAddress: ClientAddress = clientAddressBehind(0);

/**
 * @param trustedProxies  how many of our own proxies are in front, each adding the address it was called from; 0: the
 * header is not read at all
 */
export function clientAddressBehind(trustedProxies: number): ClientAddress {
  return (c) => addressKey(forwardedAddress(c.req.header('x-forwarded-for'), trustedProxies) ?? socketAddress(c));
}

function socketAddress(c: Context): string {
  // Without a socket (a request made in this process), all callers share one key.
  if (typeof c.env !== 'object' || c.env === null || !('incoming' in c.env)) return 'local';
  return getConnInfo(c).remote.address ?? 'unknown';
}
