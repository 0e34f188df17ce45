/** The provider's shapes as JSON Schema: generated from the SDK's declarations, then cached beside the dependencies. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const here = (name: string) => join(import.meta.dirname, name);
const MODULES = join(import.meta.dirname, '../../../node_modules');
const FOLDER = join(MODULES, '.cache/kat-provider-schema');
export const SHAPES_FILE = here('provider-shapes.ts');

/** Files that determine the schema. */
const SOURCES = [
  SHAPES_FILE,
  here('type-schema.ts'),
  join(MODULES, 'stripe/package.json'),
  join(MODULES, 'typescript/package.json'),
];

const schemaSchema = z.looseObject({
  $defs: z.record(z.string(), z.looseObject({ properties: z.optional(z.record(z.string(), z.unknown())) })),
});
export type ProviderSchema = z.infer<typeof schemaSchema>;

let read: ProviderSchema | null = null;

/** @throws Error with the compiler's message if the declarations cannot be read */
export function providerSchema(): ProviderSchema {
  read ??= cachedSchema();
  return read;
}

function cachedSchema(): ProviderSchema {
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(readFileSync(source));
  const file = join(FOLDER, `${hash.digest('hex').slice(0, 16)}.json`);
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true });
    const written = spawnSync(process.execPath, [here('write-schema.ts'), file], { encoding: 'utf8' });
    if (written.status !== 0) throw new Error(`The schema of the provider cannot be made: ${written.stderr}`);
  }
  return schemaSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
