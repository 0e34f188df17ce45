/** Who called, behind proxies of our own: anybody can write X-Forwarded-For, but not the entries that our proxies add. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressKey } from './rate-limit.ts';

/**
 * The address that the outermost of our proxies was called from; null where the header holds fewer entries than there
 * are proxies, or no address in that place.
 *
 * @param trustedProxies  how many stand in front, each adding the address it was called from; 0: the header is not read
 */
export function forwardedAddress(header: string | undefined, trustedProxies: number): string | null {
  if (trustedProxies === 0) return null;
  const entries = (header ?? '').split(',');
  const entry = entries.at(-trustedProxies)?.trim() ?? '';
  const address = withoutPort(entry);
  return isIP(address) === 0 ? null : address;
}

/**
 * What counts as one caller of a plain Node request, by the same rule; null for this machine itself: there a proxy that
 * nobody told us of may stand, and everybody would be that one.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string | null {
  const header = request.headers['x-forwarded-for'];
  const forwarded = forwardedAddress(typeof header === 'string' ? header : header?.join(','), trustedProxies);
  const address = forwarded ?? request.socket.remoteAddress ?? 'unknown';
  return isLoopbackAddress(address) ? null : addressKey(address);
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address);
}

/** Some proxies add the caller's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
}
