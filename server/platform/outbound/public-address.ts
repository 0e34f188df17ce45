/** Strangers must not reach any other address: this machine, its network, its cloud's services. */
import { type LookupAddress, type LookupAllOptions, lookup as resolveByDns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is assigned (RFC 4291). Outside of it are forms of IPv4 addresses that libraries overlook. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** @param address  a numeric address; an IPv4 address mapped into IPv6 is checked as IPv4 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast';
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Fails if any address of the name is not public. The connection uses exactly the checked addresses, so a name that
 * resolves differently a moment later changes nothing.
 */
export function publicLookup(resolve: Resolve = resolveByDns): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PrivateAddress(`${hostname} isn't a public name`), '');
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
