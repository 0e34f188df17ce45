/** Another name in a request means that it is for another site, or that another site's name points to this server. */
import { networkInterfaces } from 'node:os';
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../loopback.ts';

/**
 * In production only the name in PUBLIC_URL; in development also this machine's addresses, at the listening port. Links
 * in emails are built from this name, and another program may listen on another port.
 * @param port read at each request, because a free port is known only once the server listens
 * @returns a test of a URL's `host` part
 */
export function ownHosts(
  config: Pick<Config, 'isProduction' | 'publicUrl' | 'host'>,
  port: () => number,
): (host: string) => boolean {
  const publicUrl = config.publicUrl === null ? null : new URL(config.publicUrl);
  const isEveryAddress = ['0.0.0.0', '::', '*', ''].includes(config.host);
  const own = new Set(isEveryAddress ? addressesOfThisMachine() : [bracketed(config.host.toLowerCase())]);
  return (host) => {
    // Parsed with our scheme, so that its default port may be present or omitted.
    const requested = URL.parse(`${publicUrl?.protocol ?? 'http:'}//${host}`);
    if (requested === null) return false;
    if (publicUrl !== null && requested.host === publicUrl.host) return true;
    if (config.isProduction || URL.parse(`http://${host}`)?.port !== writtenPort(port())) return false;
    return isLoopback(requested.hostname) || own.has(requested.hostname);
  };
}

function writtenPort(port: number): string {
  return port === 80 ? '' : String(port);
}

function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => bracketed(one.address)));
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
