/** Installs exactly the locked dependencies when they are missing, stale, or were installed for another platform. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeForeignBinaries } from './image/foreign-binaries.mjs';

/** @param {string} root the repository's folder */
export function ensureInstalled(root) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node 20.19 or newer is needed to start; this is ${process.versions.node}.`);
    process.exit(1);
  }
  const stampFile = join(root, 'node_modules', '.kat-installed');
  const stamp = stampOf(root);
  const isCurrent = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isCurrent && existsSync(join(root, 'node_modules', '.bin', 'node'))) return;

  console.log('Installing the locked dependencies (npm ci) ...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, stdio: /** @type {const} */ ('inherit') };
  // npm names its own script when it runs us; otherwise the launcher uses the shell's npm.
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.status !== 0) {
    console.error('npm ci failed: see the lines above. Is the package registry reachable?');
    process.exit(1);
  }
  if (!existsSync(join(root, 'node_modules', '.bin', 'node'))) {
    console.error(`No Node binary is packaged for ${process.platform} ${process.arch}.`);
    process.exit(1);
  }
  removeForeignBinaries(join(root, 'node_modules'));
  writeFileSync(stampFile, stamp);
}

/** @param {string} root */
function stampOf(root) {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', '.npmrc']) hash.update(readFileSync(join(root, file)));
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}
