/**
 * Fits models/releases.json: `npm run lab -- measure releases --data DIR --releases FILE [--models DIR] [--out FILE]`.
 * Reads the months that the networks were fitted or validated on, never the test spans. Writes only factors, no candles,
 * and prints what a release would have met that the table does not know.
 * Exit status 2 for a bad argument or file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BadInput } from '../../../scripts/bad-input.ts';
import { readOrExit } from '../../../scripts/command-line.ts';
import { RELEASE_TABLE_FILE, releaseTableVersion } from '../../../server/forecast/releases/release-table-file.ts';
import { listCandleFiles, readCandleFile } from '../candle-files.ts';
import { openShippedModels } from '../shipped-models.ts';
import { isUsed } from '../windows/splits.ts';
import { leftOutRows } from './left-out.ts';
import { fitReleaseTable } from './release-fit.ts';
import { readReleases } from './releases.ts';

const USAGE = 'npm run lab -- measure releases --data DIR --releases FILE [--models DIR] [--out FILE]';

const {
  dataDir,
  models: modelsDir,
  out,
  releases,
  files,
} = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      releases: { type: 'string' },
      models: { type: 'string', default: join(import.meta.dirname, '../../..', 'models') },
      out: { type: 'string' },
    },
  });
  if (!values.data || !values.releases) throw new BadInput('--data DIR and --releases FILE are needed');
  return {
    dataDir: values.data,
    models: values.models,
    out: values.out ?? join(values.models, RELEASE_TABLE_FILE),
    releases: readReleases(values.releases),
    files: listCandleFiles(values.data).filter(isUsed),
  };
}, USAGE);

const lion = (await openShippedModels(modelsDir)).find(({ name }) => name === 'lion');
if (lion === undefined) throw new BadInput(`${modelsDir} holds no trained lion`);
const coins = files.map((name) => readCandleFile(dataDir, name)).filter(({ assetClass }) => assetClass === 'crypto');
const { content, events, leftOut } = await fitReleaseTable(lion.network, coins, releases);
writeFileSync(out, `${JSON.stringify({ version: releaseTableVersion(content), ...content }, null, 1)}\n`);
for (const [kind, row] of Object.entries(content.kinds))
  console.log(`${kind.padEnd(22)} ${String(events.get(kind)).padStart(3)} releases  ${row.join('  ')}`);
console.log(
  '\nCPI, jobs and the Fed’s statement, each left out of its own table: the 80 and 95% band without and with it, CRPS',
);
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
for (const { bar, releases: count, blind, known } of leftOutRows(leftOut)) {
  const held = [blind, known].map(({ inside80, inside95 }) => `${percent(inside80)} and ${percent(inside95)}`);
  console.log(`bar ${bar}, ${count} releases: ${held.join(' → ')}, ${percent(known.crps / blind.crps - 1)}`);
}
console.log(out);
