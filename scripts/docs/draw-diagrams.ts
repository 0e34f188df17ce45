/** `npm run release -- diagrams`: draws the diagrams of docs/architecture.md again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { DIAGRAMS, drawDiagrams } from './diagrams.ts';

mkdirSync(join(ROOT, DIAGRAMS), { recursive: true });
for (const { name, svg } of drawDiagrams(ROOT)) writeFileSync(join(ROOT, DIAGRAMS, `${name}.svg`), svg);
