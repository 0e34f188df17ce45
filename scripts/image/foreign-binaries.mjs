/**
 * Parts of installed packages that this machine can never use: the model runtime for other platforms, which its package
 * brings along (240 MB), and headers and manuals beside the Node binary (70 MB). Plain JavaScript that Node 20 reads,
 * because it runs right after an installation.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root  a `node_modules` folder
 * @param {{ platform: string; arch: string }} machine
 * @returns {number} the bytes removed
 */
export function removeForeignBinaries(root, machine = process) {
  return [...foreignRuntimes(root, machine), ...nodeExtras(root)].reduce((sum, path) => sum + removed(path), 0);
}

/** @param {string} root @param {{ platform: string; arch: string }} machine  @returns {string[]} */
function foreignRuntimes(root, { platform, arch }) {
  // bin/<interface>/<platform>/<processor>
  const runtimes = inside(join(root, 'onnxruntime-node/bin')).flatMap(inside).flatMap(inside);
  return runtimes.filter((path) => !path.endsWith(join(platform, arch)));
}

/** @param {string} root  @returns {string[]} */
function nodeExtras(root) {
  const nodes = inside(root).filter((path) => /[\\/]node-[^\\/]+$/.test(path));
  return nodes.flatMap((path) => ['include', 'share'].map((name) => join(path, name)));
}

/** @param {string} folder  @returns {string[]} nothing if there is no such folder */
function inside(folder) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}

/** @param {string} path  @returns {number} the bytes that it took */
export function removed(path) {
  const bytes = sizeOf(path);
  rmSync(path, { recursive: true, force: true });
  return bytes;
}

/** @param {string} path @returns {number} */
function sizeOf(path) {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) return 0;
  return about.isDirectory() ? inside(path).reduce((sum, one) => sum + sizeOf(one), 0) : about.size;
}
