/** Records name the version they were issued with, so no version is ever removed. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { type BaselineTable, baselineTableSchema } from '#domain/record/scoring/baseline-table.ts';
import { FEATURE_NAMES } from '../../forecast/network/features.ts';
import { BIN_STARTS } from './har-forecast.ts';

export interface Baselines {
  /** The table of new records of a timeframe. */
  currentOf(timeframe: Timeframe): BaselineTable;
  /** Null: this server does not know the version (a later release issued the record). */
  byVersion(version: string): BaselineTable | null;
  /** The file's exact text, as published. */
  textOf(version: string): string | null;
}

const SHIPPED_DIR = fileURLToPath(new URL('../../../models/baseline/', import.meta.url));
const FILE = /^(har-[0-9a-f]{10})\.json$/;
/** `version` is of one minute. */
const currentSchema = z.object({ version: z.string(), '5min': z.string(), '15min': z.string() });

/** @throws Error for an altered, misnamed or missing file: they ship with the server */
export async function openBaselines(folder: string = SHIPPED_DIR): Promise<Baselines> {
  const known = new Map<string, { table: BaselineTable; text: string }>();
  for (const name of await readdir(folder)) {
    const version = FILE.exec(name)?.[1];
    if (version === undefined) continue;
    const text = await readFile(join(folder, name), 'utf8');
    known.set(version, { table: readBaseline(version, text), text });
  }
  const named = currentSchema.parse(JSON.parse(await readFile(join(folder, 'current.json'), 'utf8')));
  const current = new Map<Timeframe, BaselineTable>();
  for (const timeframe of TIMEFRAMES) {
    const version = named[timeframe === DEFAULT_TIMEFRAME ? 'version' : timeframe];
    const table = known.get(version)?.table;
    if (table === undefined) throw new Error(`The baseline ${version} is missing in ${folder}.`);
    if (timeframeOfRecord(table) !== timeframe) throw new Error(`The baseline ${version} is not for ${timeframe}.`);
    requireOwnColumns(table);
    current.set(timeframe, table);
  }
  return {
    currentOf: (timeframe) => current.get(timeframe) ?? missing(timeframe),
    byVersion: (wanted) => known.get(wanted)?.table ?? null,
    textOf: (wanted) => known.get(wanted)?.text ?? null,
  };
}

function readBaseline(version: string, text: string): BaselineTable {
  const { version: stated, ...content } = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const digits = hash('sha256', JSON.stringify(content));
  if (stated !== version || !`har-${digits}`.startsWith(version)) {
    throw new Error(`The baseline ${version} does not match its name.`);
  }
  return baselineTableSchema.parse({ version, ...content });
}

function missing(timeframe: Timeframe): never {
  throw new Error(`There is no baseline for ${timeframe}.`);
}

/** Coefficients fitted on other columns would be applied to the wrong features. */
function requireOwnColumns({ version, features, binStarts, classes }: BaselineTable): void {
  const isOwn = features.join() === FEATURE_NAMES.join() && binStarts.join() === BIN_STARTS.join();
  const fitted = Object.values(classes).filter((numbers) => numbers !== undefined);
  const isWhole = fitted.every(({ bins, rv50, range50 }) =>
    [...bins, rv50, range50].every((row) => row.length === FEATURE_NAMES.length),
  );
  if (!isOwn || !isWhole)
    throw new Error(`The baseline ${version} was fitted on different features from this server's.`);
}
