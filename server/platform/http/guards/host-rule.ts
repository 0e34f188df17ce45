/**
 * The host names this server answers under. A browser tells which one it believes to talk to; under any other name the
 * request was meant for somebody else, or somebody else's name was pointed at us.
 */
import { networkInterfaces } from 'node:os';
import { type Config, isLoopback } from '../../config/config.ts';

/**
 * PUBLIC_URL's name alone in production; in development this machine's own addresses too, at the port that is listened
 * on. Links in mails are built from this name: at another port somebody else's program may listen.
 *
 * @param port  read at each request: which one a free port is shows only once it is listened on
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
    // Read with our own scheme, so that its default port may be named or left out.
    const asked = URL.parse(`${publicUrl?.protocol ?? 'http:'}//${host}`);
    if (asked === null) return false;
    if (publicUrl !== null && asked.host === publicUrl.host) return true;
    if (config.isProduction || URL.parse(`http://${host}`)?.port !== writtenPort(port())) return false;
    return isLoopback(asked.hostname) || own.has(asked.hostname);
  };
}

/** As URL writes it for http. */
function writtenPort(port: number): string {
  return port === 80 ? '' : String(port);
}

function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => bracketed(one.address)));
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
