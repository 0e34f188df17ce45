/** The model card: a plain description of a model, with the figures of this version. Misses come before the figures. */
import type { GroupFigures } from '../../domain/forecast/model-figures.ts';
import { MODELS } from '../../domain/forecast/models.ts';
import { groupedCount } from '../../domain/format/count.ts';
import { spellDates } from '../../domain/format/dates.ts';
import { zonedMinute } from '../../domain/format/zoned-time.ts';
import { barMinutesOf } from '../../domain/market/timeframes.ts';
import { type TargetLine, targetLines } from '../../scripts/site/model-targets.ts';
import type { TrainedManifest } from '../../server/forecast/models/manifest.ts';
import {
  fewBlocksText,
  groupSection,
  MINUTE_BLOCKS,
  orderingText,
  pooledLines,
  releaseSection,
  unseenSection,
  withheldText,
} from './card-figures.ts';
import { barsText, CAVEATS, CAVEATS_OF_BARS, LIMITS, LIMITS_OF_BARS, MODEL_TEXTS, SHARED_TEXT } from './model-texts.ts';

/** Groups that list every target; the others list only their misses. */
const TARGET_GROUPS = ['four-pairs', 'crypto-all-test'];
/** Longer values appear only in the manifest. */
const MAX_CELL = 160;

export function modelCard(manifest: TrainedManifest): string {
  const { model, figures, timeframe, training } = manifest;
  return `# ${MODELS[model].label}${timeframe === undefined ? '' : `, bars of ${barMinutesOf(timeframe)} minutes`}

Version \`${manifest.modelVersion}\`, stream version ${manifest.streamVersion}, ${groupedCount(manifest.parameters)} parameters. \`lab/training\` wrote this card; every figure below is of this version.

## What it is

${timeframe === undefined ? MODEL_TEXTS[model] : `${barsText(timeframe)}\n\n${textOfBars(model, training)}`}

${SHARED_TEXT}

## What it can and cannot do

${timeframe === undefined ? LIMITS : LIMITS_OF_BARS}

${figures.length === 0 ? '## Figures\n\nNot measured yet.' : measuredPart(manifest)}

## Data

${manifest.data.length} files of one-minute candles. This repository contains none of them, not even in part. Checksums are in manifest.json.

| file | first candle | last candle | rows |
|---|---|---|---|
${manifest.data.map(({ file, firstS, lastS, rows }) => `| ${file} | ${minuteOf(firstS)} | ${minuteOf(lastS)} | ${groupedCount(rows)} |`).join('\n')}

| part | span |
|---|---|
${Object.entries(manifest.spans)
  .map(([part, span]) => `| ${part} | ${spellDates(span)} |`)
  .join('\n')}

| windows | ${CLASSES.join(' | ')} |
|---|${CLASSES.map(() => '---|').join('')}
${Object.entries(manifest.windows)
  .map(([part, counts]) => `| ${part} | ${CLASSES.map((name) => groupedCount(counts[name] ?? 0)).join(' | ')} |`)
  .join('\n')}

All crypto symbols share one calendar, because they move together. Shares and gold exist only for weeks of 2025 and are split by thirds of that span. There was no data to train
on for these classes: ${manifest.notEvaluated.join(', ')}.

${timeframe === undefined ? CAVEATS : CAVEATS_OF_BARS}

## Training

| | |
|---|---|
| inputs | ${manifest.input.names.join(', ')} |
${Object.entries(manifest.training)
  .map(([name, value]) => `| ${name} | ${cell(value)} |`)
  .join('\n')}

## Rebuild

\`\`\`
${rebuildCommands(manifest)}
\`\`\`
`;
}

/** Lion is made of other networks than at one minute. */
function textOfBars(model: TrainedManifest['model'], { members }: TrainedManifest['training']): string {
  return model === 'lion' ? `Lion is one graph: ${members}.` : MODEL_TEXTS[model];
}

function rebuildCommands({ model, timeframe }: TrainedManifest): string {
  if (timeframe === undefined) {
    return `npm run lab -- train ${model} --data DIR                              # trains, finishes and measures
npm run lab -- measure models --data DIR                         # the figures of all models again, in one run
npm run bench -- forecast --data DIR --stride 7 --out F.jsonl   # the same figures, with a line per window`;
  }
  return `npm run lab -- train ${model} --data DIR --timeframe ${timeframe}                  # trains, finishes and measures
npm run lab -- measure models --data DIR --timeframe ${timeframe}             # the figures of all models again, in one run
npm run bench -- forecast --data DIR --timeframe ${timeframe} --out F.jsonl   # the same figures, with a line per window`;
}

const CLASSES = ['crypto', 'equity', 'metal'];

function measuredPart({ model, figures, timeframe, unseen, releases }: TrainedManifest): string {
  const blocks = timeframe === undefined ? MINUTE_BLOCKS : 'blocks of a day';
  return `## Targets and results

${TARGET_GROUPS.flatMap((name) => {
  const group = figures.find((candidate) => candidate.group === name);
  return group === undefined ? [] : [targetTable(group, targetLines(model, group, timeframe), blocks)];
}).join('\n\n')}

## Misses

These add to the misses above, in every other measured group; shares and gold have the same targets:

${missesText({ model, figures, timeframe })}

## Its place among the three

CRPS on the same windows, all horizons together. An interval that contains 0 shows no difference.

${orderingText(model, figures)}

${unseen === undefined ? '' : unseenSection(unseen, blocks)}${releases === undefined ? '' : releaseSection(releases)}## Figures

Skill is the per cent by which the error is lower than the baseline's; below 0 it is worse. Brackets hold the 95% interval from resamplings of ${blocks} common to all symbols.
All baselines have their median at the last close. Unless noted, they are fitted on the same symbol's earlier candles:

| baseline | volatility | quantiles |
|---|---|---|
| 'constant' | constant | normal |
| 'ewma' | exponentially weighted, half-life 60 ${timeframe === undefined ? 'minutes' : 'bars'}, from returns and ranges | normal or empirical |
| 'ewma-returns' | the same from returns alone | normal or empirical |
| 'har-empirical' | log-HAR refitted per symbol | empirical |
| 'har-pooled' | the same log-HAR fitted on all symbols of the asset class | empirical |
${timeframe === undefined ? '' : HARDER_ROWS}
A perpetual of 2025 has one month of past candles, from 2023; the networks have since seen its coin's spot prices.

${figures.map((group) => groupSection(group, blocks)).join('\n\n')}`;
}

const HARDER_ROWS = `| 'ewma-8-gauss', 'ewma-20-gauss' | 'ewma' with half-lives of 8 and 20 bars | normal |
| 'har-week' | 'har-pooled' with the weekday as well | empirical |
`;

function targetTable(group: GroupFigures, lines: readonly TargetLine[], blocks: string): string {
  return `### ${group.title}

${group.skill.blocks} ${blocks}${fewBlocksText(group)}. ${withheldText(group)}

| target | result | |
|---|---|---|
${lines.map(({ target, reached, isMet }) => `| ${target} | ${reached} | ${isMet ? 'met' : '**missed**'} |`).join('\n')}

${pooledLines(group)}`;
}

function missesText({ model, figures, timeframe }: Pick<TrainedManifest, 'model' | 'figures' | 'timeframe'>): string {
  const others = figures.filter(({ group }) => !TARGET_GROUPS.includes(group));
  const misses = others.flatMap((group) => {
    const missed = targetLines(model, group, timeframe)
      .filter(({ isMet }) => !isMet)
      .map(({ target, reached }) => `${target}: ${reached}`);
    return missed.length === 0 ? [] : [`- ${group.title}:\n${missed.map((text) => `  - ${text}`).join('\n')}`];
  });
  return misses.length === 0 ? 'None.' : misses.join('\n');
}

function cell(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('|', '\\|');
  return text.length > MAX_CELL ? 'in manifest.json' : text;
}

function minuteOf(timeS: number): string {
  return zonedMinute(timeS * 1000, 'UTC');
}
