/** Debian packages that tests need (browser, database): installed if possible, else named for the reader. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const hasRoot = process.getuid?.() === 0;
const hasApt = existsSync('/usr/bin/apt-get');

/** False: only someone with root can add what is missing here. */
export const CAN_INSTALL = hasRoot && hasApt;

/** @returns true if the packages are installed afterwards */
export function installDebianPackages(packages: readonly string[]): boolean {
  if (!CAN_INSTALL) return false;
  console.log(`Installing Debian packages: ${packages.join(' ')} ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]): boolean => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  const install = (): boolean => apt('install', '-y', '--no-install-recommends', ...packages);
  return install() || (apt('update') && install());
}
