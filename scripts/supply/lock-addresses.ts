/**
 * Where each locked package is, so that npm fetches it without the list of all its versions. npm reads the public
 * registry's address as that of the configured registry: docs/decisions/001-one-runtime.md.
 */
const REGISTRY = 'https://registry.npmjs.org';

interface LockedPackage {
  /** Only if the folder has another name. */
  name?: string;
  version?: string;
  integrity?: string;
  resolved?: string;
}

export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

/** @returns the same lockfile, in npm's order of fields, with the address of every package from a registry */
export function withAddresses<L extends Lockfile>(lock: L): L {
  const entries = Object.entries(lock.packages).map(([path, { resolved, ...locked }]) => {
    const { version, ...rest } = locked;
    // The repository itself and linked folders are not from a registry.
    if (version === undefined || rest.integrity === undefined)
      return [path, resolved === undefined ? locked : { ...locked, resolved }] as const;
    const name = rest.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [path, { version, resolved: addressOf(name, version), ...rest }] as const;
  });
  return { ...lock, packages: Object.fromEntries(entries) };
}

function addressOf(name: string, version: string): string {
  return `${REGISTRY}/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
}
