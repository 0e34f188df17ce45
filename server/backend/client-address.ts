/**
 * Where a request comes from: the socket's address or, behind proxies of our own, the address that the outermost of them
 * saw.
 */
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { forwardedAddress } from '../platform/http/guards/forwarded-address.ts';
import { addressKey } from '../platform/http/guards/rate-limit.ts';

export type ClientAddress = (c: Context) => string;

/** Without a proxy: as the socket says. */
export const clientAddress: ClientAddress = clientAddressBehind(0);

/**
 * @param trustedProxies  how many proxies of our own stand in front, each adding the address it was called from; 0: the
 *                        header is not read at all
 */
export function clientAddressBehind(trustedProxies: number): ClientAddress {
  return (c) => addressKey(forwardedAddress(c.req.header('x-forwarded-for'), trustedProxies) ?? socketAddress(c));
}

function socketAddress(c: Context): string {
  // Without a socket (a request made in this process) all callers count as one.
  if (typeof c.env !== 'object' || c.env === null || !('incoming' in c.env)) return 'local';
  return getConnInfo(c).remote.address ?? 'unknown';
}
