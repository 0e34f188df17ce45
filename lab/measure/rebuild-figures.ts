/**
 * Rebuilds the bench's figures without the bench, on the Node installed with the dependencies: `node_modules/.bin/node
 * lab/measure/rebuild-figures.ts --data DIR --lines F.jsonl [--lines B.jsonl] [--symbol S ...] [--from ISO] [--to
 * ISO]` with F.jsonl from --out and B.jsonl from --baselines-out. The lines of the named symbols and times form one
 * group. Prints one JSON object by forecaster.
 */
import { parseArgs } from 'node:util';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, secondsOfIso } from '../../scripts/command-line.ts';
import { rebuildFigures } from './rebuild.ts';

const USAGE =
  'node_modules/.bin/node lab/measure/rebuild-figures.ts --data DIR --lines F.jsonl [--lines B.jsonl] [--symbol S ...] ' +
  '[--from ISO] [--to ISO]';

const { data, lines, selection } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      lines: { type: 'string', multiple: true },
      symbol: { type: 'string', multiple: true },
      from: { type: 'string' },
      to: { type: 'string' },
    },
  });
  if (!values.data || values.lines === undefined) throw new BadInput('--data and --lines are needed');
  const startS = values.from === undefined ? undefined : secondsOfIso('--from', values.from);
  const endS = values.to === undefined ? undefined : secondsOfIso('--to', values.to);
  return { data: values.data, lines: values.lines, selection: { symbols: values.symbol, startS, endS } };
}, USAGE);
console.log(JSON.stringify(await rebuildFigures(data, lines, selection), null, 1));
