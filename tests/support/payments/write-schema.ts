/** A program of its own, so that no test has the compiler in its memory. Argument: where the schema is to be written. */
import { renameSync, writeFileSync } from 'node:fs';
import { SHAPES_FILE } from './provider-schema.ts';
import { schemaOfInterface } from './type-schema.ts';

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Say where to.');
// Many tests may begin at once: each finds all of it or nothing.
const draft = `${target}.${process.pid}`;
writeFileSync(draft, JSON.stringify(schemaOfInterface(SHAPES_FILE, 'ProviderShapes')));
renameSync(draft, target);
