/**
 * Name lookups that occupy no thread. The system's own lookup runs on a pool of four threads: four receivers whose name
 * servers do not answer would hold up everyone's files and lookups.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';

const RESOLVER = new Resolver({ timeout: 2000, tries: 2 });

/** For `publicLookup`. Knows only the name servers, not this machine's list of hosts. */
export function resolveApart(
  hostname: string,
  _options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
): void {
  const found = (family: 4 | 6) => (addresses: string[]) => addresses.map((address) => ({ address, family }));
  void Promise.allSettled([
    RESOLVER.resolve4(hostname).then(found(4)),
    RESOLVER.resolve6(hostname).then(found(6)),
  ]).then(([four, six]) => {
    const addresses = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return callback(null, addresses);
    return callback(four.status === 'rejected' ? four.reason : null, []);
  });
}
