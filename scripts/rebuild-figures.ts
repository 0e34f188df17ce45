/**
 * Rebuilds the bench's figures without the bench: `node scripts/rebuild-figures.ts --data DIR --lines F.jsonl [--lines B.jsonl]`
 * with F.jsonl from --out and B.jsonl from --baselines-out. Prints one JSON object by forecaster.
 */
import { parseArgs } from 'node:util';
import { rebuildFigures } from './measure/rebuild.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, lines: { type: 'string', multiple: true } } });
if (values.data === undefined || values.lines === undefined) {
  console.error('usage: rebuild-figures --data DIR --lines F.jsonl [--lines B.jsonl]');
  process.exit(2);
}
console.log(JSON.stringify(await rebuildFigures(values.data, values.lines), null, 1));
