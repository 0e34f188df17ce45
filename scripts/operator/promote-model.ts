/**
 * `npm run release -- model --model bobcat --version bobcat-0123456789 [--market live] [--days 90] [--models DIR]
 * [--shadows DIR] [--even-so]`: compares a shadow with the serving model, by the public record, and replaces that one
 * if the evidence favours the shadow. Takes effect at the server's next start. Exit status 1, and no change, if the
 * evidence is not enough; 2 for a bad argument.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { describeEvidence, evidenceOf } from '../promotion/evidence.ts';
import { pairedScores } from '../promotion/paired-scores.ts';
import { swapModel, trainedManifestOf } from '../promotion/swap-model.ts';

const USAGE =
  'npm run release -- model --model NAME --version VERSION [--market KIND] [--days N] [--models DIR] [--shadows DIR] [--even-so]';
const DAY_S = 86_400;
/** 90 days of ten symbols are a quarter of a million pairs. */
const LIMIT_MS = 120_000;

const config = readConfig(process.env);
const { wanted, from, shadow, serving } = readOrExit(readArguments, USAGE);
try {
  const { databaseUrl, dataDir, isDurable } = config;
  if (databaseUrl === null && !existsSync(join(dataDir, 'database', 'PG_VERSION')))
    throw new Error(`There is no database in ${dataDir}, so there is no record to compare by.`);
  const log = createLogger('fatal');
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    isDurable: isDurable ?? true,
    clockOffsetMs: () => 0,
    log,
    statementLimitMs: LIMIT_MS,
  });
  const paired = await pairedScores(database, {
    model: wanted.model,
    marketKind: wanted.market,
    fromS: Math.floor(Date.now() / 1000 - wanted.days * DAY_S),
    shadowVersion: shadow.modelVersion,
    servingVersion: serving.modelVersion,
  }).finally(() => database.close());
  const evidence = evidenceOf(paired);
  console.log(`${shadow.modelVersion} against the serving ${serving.modelVersion} (${wanted.market} market):`);
  for (const line of describeEvidence(evidence)) console.log(line);
  if (evidence.refusals.length > 0 && !wanted.isEvenSo) {
    console.error(`${serving.modelVersion} keeps serving.`);
    process.exitCode = 1;
  } else {
    const formerDir = await swapModel(wanted.modelsDir, wanted.model, from);
    const without = evidence.refusals.length > 0 ? ', WITHOUT the required evidence (--even-so)' : '';
    console.log(
      `${shadow.modelVersion} serves from the next start on${without}. The previous model is stored in ${formerDir}.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      version: { type: 'string' },
      market: { type: 'string', default: 'live' },
      days: { type: 'string', default: '90' },
      models: { type: 'string', default: join(import.meta.dirname, '../..', 'models') },
      shadows: { type: 'string' },
      'even-so': { type: 'boolean', default: false },
    },
  });
  const model = MODEL_NAMES.find((name) => name === values.model);
  if (model === undefined) throw new BadInput(`--model must be one of ${MODEL_NAMES.join(', ')}`);
  const market = MARKET_KINDS.find((kind) => kind === values.market);
  if (market === undefined) throw new BadInput(`--market must be one of ${MARKET_KINDS.join(', ')}`);
  const days = Number(values.days);
  if (!(days >= 1)) throw new BadInput(`--days ${values.days} isn't a number of days`);
  const shadowsDir = values.shadows ?? config.shadowModelsDir;
  if (!existsSync(shadowsDir))
    throw new BadInput('Name the folder of shadow models with --shadows DIR, or put them in DATA_DIR/shadow-models.');
  const from = join(shadowsDir, model);
  const shadow = trainedManifestOf(from, model);
  if (shadow.modelVersion !== values.version)
    throw new BadInput(`${from} contains ${shadow.modelVersion}, but --version names ${values.version ?? 'none'}.`);
  const serving = trainedManifestOf(join(values.models, model), model);
  if (serving.modelVersion === shadow.modelVersion) throw new BadInput(`${serving.modelVersion} is already serving.`);
  const wanted = { model, market, days, modelsDir: values.models, isEvenSo: values['even-so'] };
  return { wanted, from, shadow, serving };
}
