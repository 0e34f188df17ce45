/**
 * Whether the locked packages are installed. npm itself writes what it installed into `node_modules/.package-lock.json`,
 * as the last step of an installation, so any way of installing counts and a half-finished one does not.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[],
 *   libc?: string[] }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/** @param {string} root  the repository's folder */
export function areInstalled(root) {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  return (
    installed !== null &&
    existsSync(join(root, 'node_modules', '.bin', 'node')) &&
    missingPackages(lockedPackages(root), installed).length === 0
  );
}

/** @param {string} root @returns {LockedPackages} */
export function lockedPackages(root) {
  return packagesOf(join(root, 'package-lock.json')) ?? {};
}

/**
 * Packages beyond the locked ones are no reason to install again.
 *
 * @param {LockedPackages} locked
 * @param {LockedPackages} installed
 * @param {{ platform: string, arch: string }} machine
 * @returns {string[]} those that are missing or differ
 */
export function missingPackages(locked, installed, machine = process) {
  return Object.entries(locked)
    .filter(([path, one]) => path !== '' && isNeeded(one, machine))
    .filter(([path, one]) => installed[path]?.version !== one.version || installed[path]?.integrity !== one.integrity)
    .map(([path]) => path);
}

/**
 * An optional package is one for some platform. Which C library a machine has is npm's to decide, and so is a package
 * that only one for another platform needs.
 *
 * @param {LockedPackage} one
 * @param {{ platform: string, arch: string }} machine
 */
function isNeeded({ optional, os, cpu, libc }, { platform, arch }) {
  if (optional !== true) return true;
  return libc === undefined && os?.includes(platform) === true && cpu?.includes(arch) === true;
}

/** @param {string} file @returns {LockedPackages | null} */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
