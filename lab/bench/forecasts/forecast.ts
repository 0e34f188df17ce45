/**
 * Speed, sharing and skill of the models as one JSON table, each compared with its baselines in the same run: `npm run
 * bench -- forecast [--data DIR [--timeframe 5min] [--from ISO --to ISO] [--stride 29] [--out F.jsonl]]`. Without --data
 * only speed and sharing, on generated candles; with it also skill, on the standard test spans or on every file between
 * --from and --to. Longer candles are added up from the files' minutes. With --releases all forecasts know the calendar,
 * and it is printed what bands hold when something is released meanwhile; with --blind none knows it.
 */

import type { TimedRelease } from '../../../domain/forecast/releases/widening.ts';
import { barMinutesOf, barSecondsOf } from '../../../domain/market/timeframes.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import { readReleaseTable } from '../../../server/forecast/releases/release-table-file.ts';
import { type CandleFile, inTimeframe, listCandleFiles, readCandleFile } from '../../measure/candle-files.ts';
import { type GroupResult, measureGroups } from '../../measure/measure.ts';
import { type MeasuredGroup, spanGroups, standardGroups } from '../../measure/measured-symbols.ts';
import { type ReleaseCoverage, releaseCoverage } from '../../measure/releases/release-coverage.ts';
import { readReleases, releaseOf, windowsBefore } from '../../measure/releases/releases.ts';
import { type SeenInTraining, seenInTraining } from '../../measure/seen-in-training.ts';
import { openShippedModels } from '../../measure/shipped-models.ts';
import { strideFault } from '../../measure/windows/sampling.ts';
import type { MeasuredModel, Observation } from '../../measure/windows/score-windows.ts';
import { isUsed } from '../../measure/windows/splits.ts';
import { windowsOf } from '../../measure/windows/windows.ts';
import { baselineLine, modelLine, openLineFile } from './forecast-lines.ts';
import { type ForecastBenchOptions, forecastBenchOptions } from './forecast-options.ts';
import { measureSpeed } from './forecast-speed.ts';
import { measureKronosShape } from './kronos-run.ts';
import { readable } from './readable.ts';

/** Set after everything is printed. */
const EXIT_SUSPECTED_LEAK = 3;

const log = (line: string): void => console.error(`${(performance.now() / 1000).toFixed(1)} s  ${line}`);

try {
  const options = forecastBenchOptions(process.argv.slice(2));
  const skill =
    options.dataDir === null ? { table: {}, isLeakSuspected: false } : await measuredSkill(options, options.dataDir);
  const speed = options.measuresSpeed ? { speed: await measuredSpeed(options) } : {};
  console.log(readable({ ...skill.table, ...speed }));
  if (skill.isLeakSuspected) process.exitCode = EXIT_SUSPECTED_LEAK;
} catch (error) {
  if (!(error instanceof BadInput)) throw error;
  console.error(`bench:forecast: ${error.message}`);
  process.exitCode = 2;
}

/** Each model's forecast time, and how many times slower a decoder of Kronos-small's shape is. */
async function measuredSpeed({ modelsRoot, timeframe }: ForecastBenchOptions): Promise<Record<string, unknown>> {
  log('measuring speed');
  const speed = await measureSpeed(modelsRoot, timeframe);
  const kronos = await measureKronosShape();
  const timesSlower = Object.fromEntries(
    Object.entries(speed.models).map(([name, { inThisProcess }]) => [
      name,
      Math.round(kronos.wholeMs / inThisProcess.p50Ms),
    ]),
  );
  return { ...speed, kronosShape: { ...kronos, timesSlowerThan: timesSlower } };
}

interface SkillOutcome {
  table: Record<string, unknown>;
  isLeakSuspected: boolean;
}

async function measuredSkill(options: ForecastBenchOptions, folder: string): Promise<SkillOutcome> {
  const { span, strideBars, timeframe } = options;
  const strideMinutes = strideBars * barMinutesOf(timeframe);
  const models = await openShippedModels(options.modelsDir, timeframe);
  if (models.length === 0) throw new BadInput(`${options.modelsDir} holds no trained model`);
  const names = listCandleFiles(folder).filter((name) => span !== null || isUsed(name));
  if (names.length === 0) throw new BadInput(`${folder} holds no SYMBOL-1m.csv.gz`);
  const files = names.map((name) => inTimeframe(readCandleFile(folder, name), timeframe));
  log(`${files.length} files read`);
  const releases = options.releasesFile === null ? [] : readReleases(options.releasesFile);
  const around = options.aroundReleasesMinutes;
  const cut = around === null ? windowsOf : windowsBefore(releases, around);
  const groups =
    span === null ? standardGroups(files, strideMinutes, cut) : spanGroups(files, span, strideMinutes, cut);
  if (groups.length === 0) {
    throw new BadInput('no unbroken 450 candles and 50 more lie in the span; give --from and --to for other files');
  }
  const seen = seenInTraining(models, new Set(groups.flatMap((group) => group.symbols)));
  const coverage = releaseCoverage(releases);
  const results = await measuredWithLines(options, models, groups, { releases, coverage });
  for (const { network } of models) await network.release();
  const warnings = [...seen.map(describeSeen), ...warningsOf(strideFault(strideBars, timeframe), results)];
  for (const warning of warnings) log(`WARNING ${warning}`);
  const table = {
    ...(timeframe === '1min' ? {} : { timeframe }),
    strideMinutes,
    warnings,
    seenInTraining: seen,
    files: files.map(fileFacts),
    baselines: baselineFacts(results),
    models: models.map((model) => ({
      model: model.name,
      modelVersion: model.modelVersion,
      groups: results.map((result) => figuresOf(result, model, strideMinutes)),
    })),
    paired: pairedTable(results),
    ...(options.releasesFile !== null && { byRelease: coverage.table() }),
  };
  const isLeakSuspected = results.some((result) => [...result.models.values()].some((m) => m.suspectedLeak.length > 0));
  return { table, isLeakSuspected };
}

function describeSeen({ file, part, windows, models }: SeenInTraining): string {
  const use = part === 'fit' ? 'fitted' : 'validated and calibrated';
  return `${file}: ${windows} windows lie in the span that ${models.join(', ')} was ${use} on; the figures flatter it`;
}

async function measuredWithLines(
  { outFile, baselinesFile, isBlind }: ForecastBenchOptions,
  models: readonly MeasuredModel[],
  groups: readonly MeasuredGroup[],
  { releases, coverage }: { releases: readonly TimedRelease[]; coverage: ReleaseCoverage },
): Promise<GroupResult[]> {
  const lines = outFile === null ? null : openLineFile(outFile);
  const baselineLines = baselinesFile === null ? null : openLineFile(baselinesFile);
  const observe = (observation: Observation): void => {
    const { window, models: ofModels, baselines } = observation;
    const release = releaseOf(window, releases);
    coverage.add(observation);
    if (lines !== null) for (const forecast of ofModels) lines.write(modelLine(window, forecast, release));
    if (baselineLines !== null)
      for (const forecast of baselines) baselineLines.write(baselineLine(window, forecast, release));
  };
  try {
    // One window per run if its time is recorded.
    const calendar = releases.length === 0 || isBlind ? undefined : { releases, table: readReleaseTable() };
    return await measureGroups(models, groups, {
      observe,
      batchWindows: lines === null ? undefined : 1,
      calendar,
      log,
    });
  } finally {
    lines?.close();
    baselineLines?.close();
  }
}

function figuresOf({ group, models, symbols }: GroupResult, model: MeasuredModel, strideMinutes: number): unknown {
  const { name, title } = group;
  // Reported even if every forecast was withheld and there is nothing else to report.
  const withheld = symbols.flatMap((symbol) => symbol.withheld.filter((w) => w.model === model.name)).length;
  return { group: name, title, strideMinutes, withheld, ...models.get(model.name) };
}

/** Skill of each model over each other one, on the same windows. */
function pairedTable(results: readonly GroupResult[]): unknown {
  return Object.fromEntries(
    results.map(({ group, models }) => [
      group.name,
      Object.fromEntries(
        [...models].flatMap(([name, { skill }]) =>
          Object.entries(skill.pairedSkillPercent).map(([rival, columns]) => [`${name} over ${rival}`, columns]),
        ),
      ),
    ]),
  );
}

function fileFacts({ name, assetClass, sha256, timeframe, candles }: CandleFile): unknown {
  const barS = barSecondsOf(timeframe);
  const gaps = candles.filter((c, i) => i > 0 && c.time - (candles[i - 1]?.time ?? 0) !== barS).length;
  return {
    name,
    assetClass,
    sha256,
    rows: candles.length,
    firstS: candles[0]?.time,
    lastS: candles.at(-1)?.time,
    gaps,
  };
}

/** The source of each symbol's baseline fit. */
function baselineFacts(results: readonly GroupResult[]): unknown {
  return Object.fromEntries(
    results.map(({ group, symbols }) => [
      group.name,
      Object.fromEntries(symbols.map(({ name, baselinesFrom }) => [name, baselinesFrom])),
    ]),
  );
}

function warningsOf(fault: string | null, results: readonly GroupResult[]): string[] {
  const warnings: string[] = fault === null ? [] : [fault];
  for (const { group, models, symbols } of results) {
    const withheld = symbols.reduce((sum, symbol) => sum + symbol.withheld.length, 0);
    if (withheld > 0)
      warnings.push(`${group.name}: ${withheld} forecasts were withheld as implausible; no one is scored on them`);
    const isFlattered = symbols.some((s) => s.baselinesFrom === 'the measured windows themselves');
    if (isFlattered)
      warnings.push(`${group.name}: no earlier candles to fit baselines on, so they know the test itself`);
    for (const [name, { suspectedLeak }] of models) {
      for (const reason of suspectedLeak) warnings.push(`${group.name}, ${name}: suspected leak: ${reason}`);
    }
  }
  return warnings;
}
