/** Installs exactly the locked dependencies when they are missing, stale, or were installed for another platform. */
import { spawn } from 'node:child_process';
// Not by name: Node 18 must get as far as the sentence about its age.
import fs from 'node:fs';
import { join } from 'node:path';
import { removeForeignBinaries } from '../image/foreign-binaries.mjs';
import { showProgress } from '../start/progress-line.mjs';
import { explainInstallFailure } from './install-failure.mjs';
import { areInstalled, lockedPackages, missingPackages } from './installed-packages.mjs';

/** An installation that takes longer than this says so, again and again. */
const SLOW_MS = 60_000;
/** The most that an installation takes before what this machine cannot use is removed. */
const NEEDED_MB = 1100;

/**
 * Ends the process with a sentence that says what to do if they cannot be installed.
 *
 * @param {string} root  the repository's folder
 */
export async function ensureInstalled(root) {
  if (areInstalled(root)) return;

  requireWritable(root);
  requireSpace(root);
  const count = missingPackages(lockedPackages(root), {}).length;
  showProgress(`Installing ${count} packages from the registry (20 to 60 s)`);
  const { code, output } = await npmCi(root);
  if (code !== 0) fail(explainInstallFailure(output, root));
  if (!fs.existsSync(join(root, 'node_modules', '.bin', 'node')))
    fail(`No Node binary is packaged for ${process.platform} ${process.arch}.`);
  // npm reports success after a disk was full, and leaves empty files.
  if (!areInstalled(root)) fail(explainInstallFailure('npm error code ENOSPC', root));
  removeForeignBinaries(join(root, 'node_modules'));
}

/** npm reports a missing folder on a read-only file system. @param {string} root */
function requireWritable(root) {
  try {
    fs.accessSync(root, fs.constants.W_OK);
  } catch {
    fail(explainInstallFailure('npm error code EACCES', root));
  }
}

/** @param {string} root */
function requireSpace(root) {
  // npm removes an earlier installation first, which frees its space.
  if (fs.existsSync(join(root, 'node_modules'))) return;
  const { bavail, bsize } = fs.statfsSync(root);
  const freeMb = Math.floor((bavail * bsize) / 1e6);
  if (freeMb < NEEDED_MB)
    fail(
      `The packages need ${NEEDED_MB} MB while they are installed, and the disk of ${root} has ${freeMb} MB left. Free some space and start again.`,
    );
}

/** Comes first, because the rest of the launcher uses what older ones lack. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(
      `Node 20.19 or newer is needed to start, and this is ${process.versions.node}. Install a newer one from https://nodejs.org.`,
    );
}

/** @param {string} root @returns {Promise<{ code: number, output: string }>} */
async function npmCi(root) {
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, stdio: /** @type {const} */ (['ignore', 'ignore', 'pipe']) };
  // npm names its own script when it runs us; otherwise the launcher uses the shell's npm.
  const child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  const slow = setInterval(() => {
    showProgress(
      'Still installing: the registry (`npm config get registry`), a proxy or the disk is slow. Ctrl-C stops',
    );
  }, SLOW_MS);
  const stop = () => void child.kill();
  for (const signal of SIGNALS) process.once(signal, stop);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return new Promise((settle) => {
    const end = (/** @type {number} */ code) => {
      clearInterval(slow);
      for (const signal of SIGNALS) process.off(signal, stop);
      settle({ code, output });
    };
    child.on('error', (error) => {
      output += error.message;
      end(1);
    });
    child.on('close', (code, signal) => {
      if (signal !== null) process.exit(130);
      end(code ?? 1);
    });
  });
}

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}
