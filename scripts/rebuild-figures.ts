/**
 * Rebuilds the bench's figures without the bench: `node scripts/rebuild-figures.ts --data DIR --lines F.jsonl [--lines B.jsonl]
 * [--symbol BTCUSDT ...] [--from ISO] [--to ISO]` with F.jsonl from --out and B.jsonl from --baselines-out. The lines of the
 * named symbols and times are taken together as one group. Prints one JSON object by forecaster.
 */
import { parseArgs } from 'node:util';
import { rebuildFigures } from './measure/rebuild.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    lines: { type: 'string', multiple: true },
    symbol: { type: 'string', multiple: true },
    from: { type: 'string' },
    to: { type: 'string' },
  },
});
if (values.data === undefined || values.lines === undefined) {
  console.error(
    'usage: rebuild-figures --data DIR --lines F.jsonl [--lines B.jsonl] [--symbol S ...] [--from ISO] [--to ISO]',
  );
  process.exit(2);
}
const secondsOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso) / 1000;
const selection = { symbols: values.symbol, startS: secondsOf(values.from), endS: secondsOf(values.to) };
console.log(JSON.stringify(await rebuildFigures(values.data, values.lines, selection), null, 1));
