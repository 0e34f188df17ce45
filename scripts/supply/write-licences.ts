/** `npm run release -- licences`: writes docs/licences.md. `-- --check`: fails if it is stale or one is refused. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../site/site-cache.ts';
import { licenceDocument, refusedLicences } from './licences.ts';
import { shippedPackages } from './shipped-packages.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const file = join(ROOT, 'docs/licences.md');
const packages = shippedPackages(ROOT);
const document = licenceDocument(packages);

const refused = refusedLicences(packages);
for (const line of refused) console.error(`Not agreed to: ${line}`);
if (refused.length > 0) process.exitCode = 1;
if (!values.check) writeFileSync(file, document);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== document) {
  console.error('docs/licences.md is out of date: npm run release -- licences');
  process.exitCode = 1;
}
