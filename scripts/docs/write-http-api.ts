/** `npm run release -- http-api`: writes the tables of server functions into docs/http-api.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { withContractTables } from './contract-tables.ts';

const file = join(ROOT, 'docs/http-api.md');
writeFileSync(file, withContractTables(readFileSync(file, 'utf8')));
