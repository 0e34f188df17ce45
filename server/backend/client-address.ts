/**
 * Where a request comes from: the socket's address or, behind proxies of our own, the address that the outermost of them
 * saw. Anybody can write the header X-Forwarded-For; only its last entries, one a proxy of ours, were not written by the
 * caller.
 */
import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { addressKey } from '../platform/rate-limit.ts';

export type ClientAddress = (c: Context) => string;

/** Without a proxy: as the socket says. */
export const clientAddress: ClientAddress = clientAddressBehind(0);

/**
 * @param trustedProxies  how many proxies of our own stand in front, each adding the address it was called from; 0: the
 *                        header is not read at all
 */
export function clientAddressBehind(trustedProxies: number): ClientAddress {
  return (c) => addressKey(forwardedAddress(c, trustedProxies) ?? socketAddress(c));
}

/** Null where the header holds fewer entries than there are proxies, or no address in that place. */
function forwardedAddress(c: Context, trustedProxies: number): string | null {
  if (trustedProxies === 0) return null;
  const entries = (c.req.header('x-forwarded-for') ?? '').split(',');
  const entry = entries.at(-trustedProxies)?.trim() ?? '';
  const address = withoutPort(entry);
  return isIP(address) === 0 ? null : address;
}

/** Some proxies add the caller's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
}

function socketAddress(c: Context): string {
  // Without a socket (a request made in this process) all callers count as one.
  if (typeof c.env !== 'object' || c.env === null || !('incoming' in c.env)) return 'local';
  return getConnInfo(c).remote.address ?? 'unknown';
}
