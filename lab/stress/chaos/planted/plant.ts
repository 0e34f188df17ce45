/**
 * Loaded before a server that a chaos run starts with a planted bug: changes the source of a few files while Node loads
 * them. The product never loads it and never reads the switch; tests/contract/chaos-planted.test.ts checks both.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPlantedBug, PLANTED_BUGS, type PlantedBug, plantInto } from './planted-bugs.ts';

const name = process.env.CHAOS_PLANTED ?? '';
if (process.env.NODE_ENV === 'production') throw new Error('Planted bugs are refused in production.');
if (!isPlantedBug(name)) throw new Error(`There is no planted bug "${name}".`);
const { changes }: PlantedBug = PLANTED_BUGS[name];

const isSql = (path: string): boolean => changes.some(({ file }) => file.endsWith('.sql') && path.endsWith(`/${file}`));

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:') || loaded.source == null) return loaded;
    const path = fileURLToPath(url);
    const source =
      typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    const planted = plantInto(path, source, changes);
    return planted === source ? loaded : { ...loaded, source: planted };
  },
});

// Migrations are read as files.
const { readFile } = fs.promises;
fs.promises.readFile = (async (...args: Parameters<typeof readFile>) => {
  const content = await readFile(...args);
  const path = normalize(String(args[0]));
  return typeof content === 'string' && isSql(path) ? plantInto(path, content, changes) : content;
}) as typeof readFile;
syncBuiltinESMExports();
