/**
 * Fits models/releases.json and measures what it is worth: `npm run lab -- measure releases --data DIR --releases FILE
 * [--models DIR]`. Reads the months that the networks were fitted or validated on, never the test spans. Writes factors,
 * no candles, and into every model's manifest and card what its bands hold after releases that the table does not know.
 * Exit status 2 for a bad argument or file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TIMEFRAMES } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit } from '../../scripts/command-line.ts';
import { RELEASE_TABLE_FILE, releaseTableVersion } from '../../server/forecast/releases/release-table-file.ts';
import { inTimeframe, listCandleFiles, readCandleFile } from '../measure/candle-files.ts';
import { leftOutFigures } from '../measure/releases/left-out.ts';
import { fitReleaseTable } from '../measure/releases/release-fit.ts';
import { readReleases } from '../measure/releases/releases.ts';
import { folderOfTimeframe, openShippedModels } from '../measure/shipped-models.ts';
import { isUsed } from '../measure/windows/splits.ts';
import { readManifest, writeManifest } from './model-folder.ts';
import { progressLog } from './python/progress-log.ts';

const USAGE = 'npm run lab -- measure releases --data DIR --releases FILE [--models DIR]';

const { dataDir, modelsDir, releases, files } = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      releases: { type: 'string' },
      models: { type: 'string', default: join(import.meta.dirname, '../..', 'models') },
    },
  });
  if (!values.data || !values.releases) throw new BadInput('--data DIR and --releases FILE are needed');
  return {
    dataDir: values.data,
    modelsDir: values.models,
    releases: readReleases(values.releases),
    files: listCandleFiles(values.data).filter(isUsed),
  };
}, USAGE);

const log = progressLog();
const lion = (await openShippedModels(modelsDir)).find(({ name }) => name === 'lion');
if (lion === undefined) throw new BadInput(`${modelsDir} holds no trained lion`);
const coins = files.map((name) => readCandleFile(dataDir, name)).filter(({ assetClass }) => assetClass === 'crypto');
const { content, events, tableWithout } = await fitReleaseTable(lion.network, coins, releases);
await lion.network.release();
writeFileSync(
  join(modelsDir, RELEASE_TABLE_FILE),
  `${JSON.stringify({ version: releaseTableVersion(content), ...content }, null, 1)}\n`,
);
for (const [kind, row] of Object.entries(content.kinds))
  log(`${kind.padEnd(22)} ${String(events.get(kind)).padStart(3)} releases  ${row.join('  ')}`);

for (const timeframe of TIMEFRAMES) {
  const folder = folderOfTimeframe(modelsDir, timeframe);
  const bars = coins.map((file) => inTimeframe(file, timeframe));
  for (const { name, network } of await openShippedModels(folder, timeframe)) {
    const figures = await leftOutFigures(network, bars, releases, tableWithout);
    await network.release();
    const manifest = readManifest(join(folder, name));
    if (manifest === null) throw new Error(`${folder}/${name} changed while it was measured`);
    writeManifest(join(folder, name), { ...manifest, releases: figures });
    log(`${name}, ${timeframe}: ${figures.length} rows written`);
  }
}
