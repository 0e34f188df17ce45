/**
 * Removes parts of installed packages that no server loads: binaries for other platforms, headers, types and source
 * maps. `prune-packages.mjs <node_modules>`. Licences stay. Plain JavaScript: the builder runs it before anything else
 * is installed.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { removed, removeForeignBinaries } from './foreign-binaries.mjs';

const root = process.argv[2];
if (root === undefined) {
  console.error('usage: prune-packages.mjs <node_modules>');
  process.exit(2);
}

const UNREAD = ['**/*.map', '**/*.d.ts', '**/*.d.mts', '**/*.d.cts', '**/*.tsbuildinfo'];
const unread = globSync(UNREAD, { cwd: root }).reduce((sum, name) => sum + removed(join(root, name)), 0);
console.log(`Removed ${Math.round((removeForeignBinaries(root) + unread) / 1e6)} MB that no server loads.`);
