/**
 * Replays the record's band correction on recorded candles with the shipped models, as often as it forecasts (every 5, 15 or 60 minutes):
 * `npm run lab -- measure bands --data DIR [--timeframe 5min] [--models DIR] [--cache DIR] [--curve] [--pooled]`. Prints Markdown: coverage of every
 * seven days before and after, the price in CRPS, and with --curve the effect of other gains and rules. The forecasts
 * of all files take a quarter of an hour; --cache stores them.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SYMBOLS } from '../../domain/market/symbols.ts';
import { LEAST_FACTOR } from '../../domain/record/bands/adaptive-bands.ts';
import { slotSecondsOf } from '../../domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '../../domain/record/scoring/scoring.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { readOrExit, timeframeOf } from '../../scripts/command-line.ts';
import { type ForecastStretch, figuresOf, ratiosOf, type StretchFigures, stretchesOf } from './bands/band-figures.ts';
import { bandForecasts } from './bands/band-forecasts.ts';
import { type Ratios, RULE_NAMES, type RuleName, replayRule } from './bands/band-rules.ts';
import { pooledFigures, printPooled } from './bands/pooled.ts';
import { inTimeframe, listCandleFiles, readCandleFile } from './candle-files.ts';
import { folderOfTimeframe, openShippedModels } from './shipped-models.ts';
import { isUsed, segmentsOf } from './windows/splits.ts';

const USAGE =
  'npm run lab -- measure bands --data DIR [--timeframe 5min] [--models DIR] [--cache DIR] [--curve] [--pooled]';
/** How far a week's coverage may be from nominal. */
const ALLOWED = 0.03;

interface Replayed {
  stretch: ForecastStretch;
  ratios: Ratios;
  before: StretchFigures;
}

const args = readOrExit(() => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      timeframe: { type: 'string' },
      models: { type: 'string', default: join(import.meta.dirname, '..', '..', 'models') },
      cache: { type: 'string' },
      curve: { type: 'boolean', default: false },
      pooled: { type: 'boolean', default: false },
    },
  });
  if (!values.data) throw new BadInput('--data DIR is needed');
  return {
    ...values,
    data: values.data,
    timeframe: timeframeOf(values.timeframe),
    names: listCandleFiles(values.data).filter(isUsed),
  };
}, USAGE);

const { timeframe } = args;
/** Records of longer bars are fewer, so larger gains are tried. */
const SCALES = timeframe === '1min' ? [0.3, 0.75, 1, 1.5, 2, 3, 4.5, 6] : [0.5, 1, 2, 3, 4, 6];
const models = await openShippedModels(folderOfTimeframe(args.models, timeframe), timeframe);
const groups = new Map<string, Replayed[]>();
/** Of the perpetuals, up to the end of their validation week. */
const seen: ForecastStretch[] = [];
/** Slots of that week, the same for all perpetuals. */
let isValidated = (_slotS: number): boolean => false;
for (const name of args.names) {
  const file = readOrExit(() => inTimeframe(readCandleFile(args.data, name), timeframe));
  if (file.assetClass !== 'crypto') continue;
  const segments = segmentsOf(file);
  const isUnseen = (slot: number): boolean =>
    segments.some(({ part, startS, endS }) => (part === 'test' || part === 'late') && slot >= startS && slot < endS);
  const market = name.endsWith('.P') ? 'perpetuals' : 'spot';
  const partAt = (slot: number): string =>
    `${market}, ${isUnseen(slot) ? 'unseen by the networks' : 'fitted or validated on'}`;
  const forecasts = await bandForecasts(file, models, args.cache ?? null);
  const modelNames = models.map((model) => model.name);
  if (market === 'perpetuals') {
    const week = segments.find(({ part }) => part === 'validate');
    isValidated = (slotS) => week !== undefined && slotS >= week.startS && slotS < week.endS;
  }
  for (const stretch of stretchesOf(forecasts, name, modelNames, partAt, timeframe)) {
    if (market === 'perpetuals' && !isUnseen(stretch.slots[0] ?? 0)) seen.push(stretch);
    const ratios = ratiosOf(stretch);
    const none = replayRule('conformal', 0, ratios, timeframe);
    const group = groups.get(stretch.part) ?? [];
    group.push({ stretch, ratios, before: figuresOf(stretch, ratios, none) });
    groups.set(stretch.part, group);
  }
  console.error(`${name}: ${forecasts.slots.length} slots`);
}

const isRecordedFile = (name: string): boolean => SYMBOLS.some(({ sym }) => sym === name);
if (args.pooled) printPooled(pooledFigures(seen, isRecordedFile, isValidated), isRecordedFile);

for (const [title, replayed] of [...groups].sort()) {
  const after = replayed.map((one) => correct(one, 'conformal', 1));
  console.log(`\n### ${title}\n\n${describeSpan(replayed)}\n`);
  console.log('| bar | 80%: weeks within 3 points | worst week | 95%: weeks within 3 points | worst week | CRPS |');
  console.log('|---|---|---|---|---|---|');
  for (const [b, bar] of SCORED_BARS.entries()) {
    const cells = ([80, 95] as const).flatMap((level) => {
      const [was, is] = [replayed.map(({ before }) => before), after].map((all) => weeks(all, bar, level));
      return [`${was?.share} → ${is?.share}`, `${was?.worst} → ${is?.worst}`];
    });
    console.log(`| ${bar} | ${cells.join(' | ')} | ${describeGain(replayed, after, b)} |`);
  }
  const width = mean(after.map((figures) => figures.width));
  const tremble = mean(after.map((figures) => figures.dayChange));
  console.log(
    `\nMean factor ${width.toFixed(3)}; from one day to the next it moves by ${(100 * tremble).toFixed(1)}%.`,
  );
  console.log(`\n${describeWhole(replayed, after)}`);
  if (args.curve) printCurve(replayed);
}

function correct({ stretch, ratios }: Replayed, rule: RuleName, scale: number): StretchFigures {
  return figuresOf(stretch, ratios, replayRule(rule, scale, ratios, timeframe));
}

/** Multiplies every gain by the same number; then prints the other rules at the product's gains. */
function printCurve(replayed: readonly Replayed[]): void {
  console.log(
    '\n| rule | gains | 80%: weeks within 3 points | worst | 95% | worst | CRPS at 1, 5, 15, 30, 50 | moves a day |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  const tried = [
    ...SCALES.map((scale): [RuleName, number] => ['conformal', scale]),
    ...RULE_NAMES.slice(1).map((rule): [RuleName, number] => [rule, 1]),
  ];
  for (const [rule, scale] of tried) {
    const after = replayed.map((one) => correct(one, rule, scale));
    const [in80, in95] = [weeks(after, null, 80), weeks(after, null, 95)];
    const gains = SCORED_BARS.map((_, b) => gainOf(replayed, after, b).toFixed(2));
    const tremble = `${(100 * mean(after.map(({ dayChange }) => dayChange))).toFixed(1)}%`;
    const cells = [rule, `x ${scale}`, in80.share, in80.worst, in95.share, in95.worst, gains.join(', '), tremble];
    if (timeframe !== '1min') cells.push(describeWhole(replayed, after));
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function weeks(all: readonly StretchFigures[], bar: number | null, level: 80 | 95): { share: string; worst: string } {
  const errors = all.flatMap((figures) =>
    figures.weeks
      .filter((week) => week.level === level && (bar === null || week.bar === bar))
      .map(({ error }) => error),
  );
  const within = errors.filter((error) => Math.abs(error) <= ALLOWED).length / errors.length;
  const worst = errors.reduce((found, error) => (Math.abs(error) > Math.abs(found) ? error : found), 0);
  return { share: `${(100 * within).toFixed(1)}%`, worst: signed(100 * worst, 1) };
}

/** Whole stretches, the five bars together, of 19 to 35 days: as far as a month's coverage is off. */
function describeWhole(replayed: readonly Replayed[], after: readonly StretchFigures[]): string {
  const [was, is] = [replayed.map(({ before }) => before), after].map((all) =>
    ([80, 95] as const).map((level) => {
      const errors = all.map(({ whole }) => mean(whole.filter((one) => one.level === level).map(({ error }) => error)));
      const worst = errors.reduce((found, error) => (Math.abs(error) > Math.abs(found) ? error : found), 0);
      return `${(level + 100 * mean(errors)).toFixed(2)}% (worst ${signed(100 * worst, 1)})`;
    }),
  );
  return `Whole stretches: 80% band ${was?.[0]} → ${is?.[0]}, 95% band ${was?.[1]} → ${is?.[1]}.`;
}

/** Decrease of CRPS in per cent, with equal weight for each stretch. */
function gainOf(replayed: readonly Replayed[], after: readonly StretchFigures[], bar: number): number {
  return mean(replayed.map(({ before }, i) => 100 * (1 - (after[i]?.crps[bar] ?? 0) / (before.crps[bar] ?? 1))));
}

function describeGain(replayed: readonly Replayed[], after: readonly StretchFigures[], bar: number): string {
  const each = replayed.map((one, i) => gainOf([one], after.slice(i, i + 1), bar));
  return `${signed(-mean(each), 2)}% (${signed(-Math.max(...each), 2)} to ${signed(-Math.min(...each), 2)})`;
}

function describeSpan(replayed: readonly Replayed[]): string {
  const one = replayed.filter(({ stretch }) => stretch.model === replayed[0]?.stretch.model);
  const slots = one.reduce((sum, { stretch }) => sum + stretch.slots.length, 0);
  const symbols = new Set(one.map(({ stretch }) => stretch.symbol)).size;
  const starts = replayed.flatMap(({ stretch }) => [stretch.slots[0] ?? 0, stretch.slots.at(-1) ?? 0]);
  const day = (s: number): string => new Date(s * 1000).toISOString().slice(0, 10);
  const days = ((slots * slotSecondsOf(timeframe)) / 86_400).toFixed(0);
  return `${symbols} symbols, ${one.length} stretches between ${day(Math.min(...starts))} and ${day(Math.max(...starts))}, ${days} symbol days, ${models.length} models; every week that begins at an hour. Each stretch begins unlearnt; factors stay above ${LEAST_FACTOR}.`;
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
