/**
 * Writes the types of @kat/client from the read API's OpenAPI document, with openapi-typescript. Its packages are in
 * scripts/packages/openapi-types (run `npm ci` there first). The file is committed: a test fails when it is out of date.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../server/programs/read-api/open-api.ts';
import { bin, NODE, ROOT } from '../steps.ts';
import { CLIENT_TYPES, documentHash } from './client-types.ts';

const TOOL = join(import.meta.dirname, 'openapi-types/node_modules/openapi-typescript/bin/cli.js');
if (!existsSync(TOOL)) throw new Error('run npm ci --prefix scripts/packages/openapi-types first');

const folder = mkdtempSync(join(tmpdir(), 'kat-types-'));
try {
  const [source, target] = [join(folder, 'openapi.json'), join(folder, 'read-api.ts')];
  writeFileSync(source, JSON.stringify(openApiDocument()));
  execFileSync(NODE, [TOOL, source, '--output', target, '--export-type', '--root-types-no-schema-prefix'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const types = readFileSync(target, 'utf8')
    .replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
    .replaceAll(/^export type (?:webhooks|\$defs) = .*\n/gm, '');
  const head = `/** Written by \`npm run release -- client-types\` from the OpenAPI document with the SHA-256 ${documentHash()}. */\n`;
  writeFileSync(join(ROOT, CLIENT_TYPES), head + types);
  execFileSync(NODE, [bin('biome'), 'check', '--write', join(ROOT, CLIENT_TYPES)], { stdio: 'ignore' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
