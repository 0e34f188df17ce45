/**
 * The host names this server answers under. A browser tells which one it believes to talk to; under any other name the
 * request was meant for somebody else, or somebody else's name was pointed at us.
 */
import { networkInterfaces } from 'node:os';
import { type Config, isLoopback } from './config.ts';

/**
 * PUBLIC_URL's name alone in production; in development this machine's own addresses too, at any port: the site's
 * sources are served from another one.
 *
 * @returns a test of a URL's `host` part
 */
export function ownHosts(config: Pick<Config, 'isProduction' | 'publicUrl' | 'host'>): (host: string) => boolean {
  const publicUrl = config.publicUrl === null ? null : new URL(config.publicUrl);
  const isEveryAddress = ['0.0.0.0', '::', '*', ''].includes(config.host);
  const own = new Set(isEveryAddress ? addressesOfThisMachine() : [bracketed(config.host.toLowerCase())]);
  return (host) => {
    // Read with our own scheme, so that its default port may be named or left out.
    const asked = URL.parse(`${publicUrl?.protocol ?? 'http:'}//${host}`);
    if (asked === null) return false;
    if (publicUrl !== null && asked.host === publicUrl.host) return true;
    return !config.isProduction && (isLoopback(asked.hostname) || own.has(asked.hostname));
  };
}

function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => bracketed(one.address)));
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
