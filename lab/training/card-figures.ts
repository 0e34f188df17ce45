/** The figures of one group in the card: a table of skill, coverage, volatility, drawn candles. */
import {
  describePair,
  describePooled,
  describeSkill,
  describeWithheld,
  ENOUGH_BLOCKS,
  hasEnoughBlocks,
} from '../../domain/forecast/figures/figure-messages.ts';
import {
  BASELINE_NAMES,
  type BaselineName,
  type GroupFigures,
  HARDER_BASELINE_NAMES,
  type HarderBaselineName,
  type Interval,
  type ReleaseFigures,
  SCORE_COLUMNS,
  type ScoreColumn,
  type UnseenCoins,
} from '../../domain/forecast/model-figures.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '../../domain/forecast/models.ts';
import { RELEASE_GROUP_NAMES } from '../../domain/forecast/releases/release-names.ts';
import { counted, groupedCount } from '../../domain/format/count.ts';
import { intervalText } from '../../scripts/site/model-targets.ts';

/** What intervals of one-minute bars are resampled from. */
export const MINUTE_BLOCKS = 'six-hour blocks';

/** A note for figures from few blocks; '' if there are enough. */
export function fewBlocksText(group: GroupFigures): string {
  return hasEnoughBlocks(group) ? '' : ` (fewer than ${ENOUGH_BLOCKS}: an estimate, no proof)`;
}

/** @param blocks  what the intervals are resampled from: 'six-hour blocks' */
export function groupSection(measured: GroupFigures, blocks: string): string {
  const { title, group, strideMinutes, skill, realism } = measured;
  const rows = (names: readonly string[], of: (name: string) => Record<ScoreColumn, Interval> | undefined): string[] =>
    names.map((name) => {
      const skills = of(name);
      const cells = SCORE_COLUMNS.map((column) => (skills === undefined ? '' : intervalText(skills[column])));
      return `| CRPS against ${name} | ${cells.join(' | ')} |`;
    });
  const bands = (list: readonly { within80: number; within95: number }[]): string =>
    list.map((c) => `${c.within80} / ${c.within95}`).join(', ');
  const named = (record: Record<string, { within80: number; within95: number }>): string =>
    Object.entries(record)
      .map(([name, c]) => `${name} ${c.within80} / ${c.within95}`)
      .join(', ');
  const paired = MODEL_NAMES.filter((name) => skill.pairedSkillPercent[name] !== undefined);
  const { autocorrelation, pathErrorRatio } = realism;
  return `### ${title}

\`${group}\`: ${groupedCount(skill.windows)} windows, every ${strideMinutes} minutes, ${counted(skill.symbols.length, 'symbol')}, ${skill.blocks} ${blocks}${fewBlocksText(measured)}. ${withheldText(measured)}

| skill in per cent | ${SCORE_COLUMNS.join(' | ')} |
|---|${SCORE_COLUMNS.map(() => '---|').join('')}
${[
  ...rows(BASELINE_NAMES, (name) => skill.crpsSkillPercent[name as BaselineName]),
  ...rows(HARDER_BASELINE_NAMES, (name) => skill.harderSkillPercent?.[name as HarderBaselineName]).filter(
    () => skill.harderSkillPercent !== undefined,
  ),
  ...rows(paired, (name) => skill.pairedSkillPercent[name as ModelName]),
].join('\n')}

- Coverage, all horizons: 80% band ${intervalText(skill.coverage.pooled80)}, 95% band ${intervalText(skill.coverage.pooled95)}. By horizon (80 / 95): ${named(skill.coverageByHorizon)}.
  By symbol: ${named(skill.coverageBySymbol)}.
  By width, narrowest third first: ${bands(skill.coverageByWidth)}. By quarter of the hour: ${bands(skill.coverageByQuarterHour)}.
${shownLine(skill.shown, blocks)}- Realised volatility of 50 minutes, skill of the log error: ${byBaseline(skill.rv50SkillPercent)}. Of QLIKE: ${byBaseline(skill.rv50QlikeSkillPercent)}.
- Range of 50 minutes, the same: ${byBaseline(skill.range50SkillPercent)}.
- Error of the median over that of the last close, less one: ${skill.medianErrorVsLastClosePercent}%.
- Drawn candles against real ones (${groupedCount(realism.candles)}): ${realism.invariantViolations} broken, roughness ${realism.roughnessRatio}, range ${realism.rangeRatio}, KS distance of returns ${realism.ksDistance},
  lag-1 autocorrelation of absolute returns ${autocorrelation.drawn} (real ${autocorrelation.real}). Path error over that of the last close at 10 and 50 minutes: ${pathErrorRatio.h10} and ${pathErrorRatio.h50}.`;
}

/** What the record's correction makes of the bands, replayed from the span's first window. The site corrects minutes alone. */
function shownLine(shown: GroupFigures['skill']['shown'], blocks: string): string {
  if (shown === undefined) return '';
  const { coverage, coverageBySymbol, coverageByWidth, crpsOverOwnPercent } = shown;
  const list = (named: readonly (readonly [string, { within80: number; within95: number }])[]): string =>
    named.map(([name, c]) => `${name} ${c.within80} / ${c.within95}`.trim()).join(', ');
  const what =
    blocks === MINUTE_BLOCKS
      ? "Corrected by the public record, as the site shows the record's symbols"
      : 'Corrected as the public record corrects minutes, which the site does not do for these bars';
  return `- ${what}, replayed with nothing learnt at the start: 80% band ${intervalText(coverage.pooled80)}, 95% band ${intervalText(coverage.pooled95)}.
  By symbol: ${list(Object.entries(coverageBySymbol))}.
  By width, narrowest third first: ${list(coverageByWidth.map((c) => ['', c]))}. Skill of CRPS over the model's own bands: ${SCORE_COLUMNS.map((column) => `${column} ${intervalText(crpsOverOwnPercent[column])}`).join(', ')}.
`;
}

/** On every card, even if it is 0. */
export function withheldText(group: GroupFigures): string {
  return group.withheld === 0 ? 'No forecast was withheld.' : plainSpaces(describeWithheld(group));
}

/** Not trained on this coin: what that costs, coin by coin. */
export function unseenSection(unseen: UnseenCoins, blocks: string): string {
  const { coins, windows, overOwnHarPercent, overTrainedPercent, coverage, byCoin } = unseen;
  const row = (what: string, skills: Record<ScoreColumn, Interval>): string =>
    `| ${what} | ${SCORE_COLUMNS.map((column) => intervalText(skills[column])).join(' | ')} |`;
  return `## Coins it was not trained on

No input names the symbol, and coins share one set of tables, so it forecasts any coin. To measure the cost, networks of the same recipe were trained once for each of ${coins.length} coins, without any market of
that coin, and measured on the coin's test spans: ${groupedCount(windows)} windows, ${unseen.blocks} ${blocks}. They differ from this model in random details of training too.

| skill in per cent | ${SCORE_COLUMNS.join(' | ')} |
|---|${SCORE_COLUMNS.map(() => '---|').join('')}
${row("CRPS against log-HAR fitted on the coin's own past", overOwnHarPercent)}
${row('CRPS against this model, which was trained with the coin (below 0: the cost)', overTrainedPercent)}

The 80% band covered ${intervalText(coverage.pooled80)} of the closes, the 95% band ${intervalText(coverage.pooled95)}.

| not trained on | windows | CRPS against its own log-HAR | against this model | 80 / 95% band |
|---|---|---|---|---|
${coins
  .flatMap((coin) => {
    const own = byCoin[coin];
    if (own === undefined) return [];
    const bands = `${own.within80} / ${own.within95}`;
    return [
      `| ${coin} | ${groupedCount(own.windows)} | ${intervalText(own.overOwnHarPercent)} | ${intervalText(own.overTrainedPercent)} | ${bands} |`,
    ];
  })
  .join('\n')}

`;
}

/** What bands hold around releases, with and without the calendar. */
export function releaseSection(releases: ReleaseFigures): string {
  return `## Around scheduled releases

The network reads no calendar. The server multiplies the variance of the minutes around each scheduled US release by a factor of its kind (models/releases.json), and every width follows. Here each release of the months
of fitting and validation was left out of the factors in turn, and judged by those of the others. All releases weigh the same; brackets hold the 95% interval from resampling them.

| released before the bar closes | bar | releases | 80% band without and with the calendar | 95% band | CRPS lower by |
|---|---|---|---|---|---|
${releases
  .map(({ group, bar, releases: count, blind, known, crpsGainPercent }) => {
    const held = (without: number, found: Interval): string => `${without} → ${intervalText(found)}`;
    return `| ${RELEASE_GROUP_NAMES[group]} | ${bar} | ${count} | ${held(blind.within80, known.within80)} | ${held(blind.within95, known.within95)} | ${intervalText(crpsGainPercent)}% |`;
  })
  .join('\n')}

`;
}

/** Compared with the log-HAR that has seen as much data as the networks: not a target, but the harder comparison. */
export function pooledLines(group: GroupFigures): string {
  const { crpsSkillPercent, rv50SkillPercent, range50SkillPercent } = group.skill;
  const describe = (skill: Interval): string => plainSpaces(describeSkill(skill, 'it', hasEnoughBlocks(group)));
  return [
    `No target, but a harder comparison: against log-HAR fitted on ${describePooled(group.group)} before the span (har-pooled), which has seen the networks' data:`,
    '',
    ...SCORE_COLUMNS.map(
      (column) =>
        `- CRPS, ${column === 'all' ? 'all horizons together' : column}: ${describe(crpsSkillPercent['har-pooled'][column])}`,
    ),
    `- RV50: ${describe(rv50SkillPercent['har-pooled'])}`,
    `- range50: ${describe(range50SkillPercent['har-pooled'])}`,
  ].join('\n');
}

/** Which of our models is better, as text decided by the intervals. */
export function orderingText(model: ModelName, groups: readonly GroupFigures[]): string {
  const lines = groups.flatMap((group) =>
    MODEL_NAMES.flatMap((other) => {
      const value = group.skill.pairedSkillPercent[other]?.all;
      if (value === undefined) return [];
      return [`- ${group.title}: ${plainSpaces(describePair(model, other, value, hasEnoughBlocks(group)))}`];
    }),
  );
  return lines.length === 0
    ? `${MODELS[model].label} was measured alone, so it has no place among the three.`
    : lines.join('\n');
}

/** Normal or empirical quantiles make no difference to a volatility, so one of each pair is shown. */
function byBaseline(skills: Record<BaselineName, Interval>): string {
  return BASELINE_NAMES.filter((name) => !/^ewma.*empirical$/.test(name))
    .map((name) => `${name} ${intervalText(skills[name])}`)
    .join('; ');
}

/** Pages use special spaces to keep a figure on one line; a text file would only hide them. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}
