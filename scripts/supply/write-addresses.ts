/** `npm run release -- addresses`: writes the address of every package into package-lock.json, after a change of packages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { withAddresses } from './lock-addresses.ts';

const file = join(ROOT, 'package-lock.json');
writeFileSync(file, `${JSON.stringify(withAddresses(JSON.parse(readFileSync(file, 'utf8'))), null, 2)}\n`);
