/** A separate program, so that no test has the compiler in memory. Argument: where to write the schema. */
import { renameSync, writeFileSync } from 'node:fs';
import { SHAPES_FILE } from './provider-schema.ts';
import { schemaOfInterface } from './type-schema.ts';

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Say where to.');
// Many tests may start together: each finds the whole file or none.
const draft = `${target}.${process.pid}`;
writeFileSync(draft, JSON.stringify(schemaOfInterface(SHAPES_FILE, 'ProviderShapes')));
renameSync(draft, target);
