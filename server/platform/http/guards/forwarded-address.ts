/** Clients can forge X-Forwarded-For, but not the entries our proxies add. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressKey } from './rate-limit.ts';

/**
 * The address that called our outermost proxy. Null if the header has no address in that position.
 * @param trustedProxies how many of our proxies add the address that called them; 0 ignores the header
 */
export function forwardedAddress(header: string | undefined, trustedProxies: number): string | null {
  if (trustedProxies === 0) return null;
  const entries = (header ?? '').split(',');
  const entry = entries.at(-trustedProxies)?.trim() ?? '';
  const address = withoutPort(entry);
  return isIP(address) === 0 ? null : address;
}

/** Null for this machine itself: an unconfigured proxy may run there, and all visitors would share its address. */
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
