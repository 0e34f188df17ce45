/** Which addresses are the open internet's: everything else (this machine, its network, its cloud's own services) is not for strangers to name. */
import { type LookupAddress, type LookupAllOptions, lookup as resolveByDns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** @param address  in numbers; an IPv4 address written as IPv6 is what it stands for */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Thrown through the connection that was not made. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves names for connections, and fails where one leads anywhere but outside. The connection goes to the very
 * addresses that were looked at: a name that resolves otherwise a moment later changes nothing.
 *
 * @param resolve  a test's own
 */
export function publicLookup(resolve: Resolve = resolveByDns): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PrivateAddress(`${hostname} is no public name`), '');
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
