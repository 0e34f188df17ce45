/**
 * Removes parts of installed packages that no server loads: binaries for other platforms, headers, types, source maps,
 * and the compiler, an optional peer of a package. `prune-packages.mjs <node_modules>`. Licences stay. Plain
 * JavaScript: the builder runs it before anything else is installed.
 */
import { globSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2];
if (root === undefined) {
  console.error('usage: prune-packages.mjs <node_modules>');
  process.exit(2);
}

const { platform, arch } = process;
const UNREAD = [
  '**/*.map',
  '**/*.d.ts',
  '**/*.d.mts',
  '**/*.d.cts',
  '**/*.tsbuildinfo',
  'node-*/{include,share}',
  'typescript',
  '@typescript',
];
/** Folders of the model runtime: one for each platform, in each one for each processor. */
const foreign = globSync('onnxruntime-node/bin/*/*/*', { cwd: root }).filter(
  (folder) => !folder.endsWith(join(platform, arch)),
);

let bytes = 0;
for (const name of [...globSync(UNREAD, { cwd: root }), ...foreign]) {
  const path = join(root, name);
  bytes += sizeOf(path);
  rmSync(path, { recursive: true, force: true });
}
console.log(`Removed ${Math.round(bytes / 1e6)} MB that no server loads.`);

/** @param {string} path @returns {number} */
function sizeOf(path) {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) return 0;
  if (!about.isDirectory()) return about.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
