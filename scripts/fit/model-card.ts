/** The model card: what Bobcat is, in plain words, with the figures of this very fit. */
import type { StatisticalManifest } from '../../server/forecast/statistical-manifest.ts';
import type { Interval, SkillTable } from '../measure/measure.ts';
import { SCORE_COLUMNS } from '../measure/scores.ts';
import type { Realism } from './realism.ts';

export interface GroupFigures {
  group: string;
  strideMinutes: number;
  skill: SkillTable;
  realism: Realism;
}

const TITLES: Record<string, string> = {
  crypto: 'BTC and ETH spot, March 2025; BTC, ETH and SOL perpetuals, May 2025',
  'crypto-others': 'Four more perpetuals (ADA, BNB, LTC, XRP), May 2025',
  shares: 'AAPL, MSFT, TSLA, last third of their span (May 2025)',
  gold: 'Gold, last third of its 2025 span: two days, too few to say anything',
  'crypto-2026': 'DOGE perpetual, January 2026',
  'gold-2026': 'Gold, March to May 2026',
};

export function modelCard(manifest: StatisticalManifest, figures: readonly GroupFigures[]): string {
  return `# Bobcat (Kat 1)

Version \`${manifest.modelVersion}\`, stream version ${manifest.streamVersion}. Written by \`scripts/fit-bobcat.ts\`; every figure below is of this version.

## What it is

A statistical model, not a neural network. It reads up to 450 one-minute candles and says how wide the next 50 minutes are likely to be:

1. The logarithm of the variance of six stretches of minutes (1, 2-3, 4-5, 6-10, 11-25, 26-50) is a weighted sum of
   ${manifest.featureOrder.length} numbers: recent volatility over 5 to 450 minutes, recent ranges over 5 to 240 minutes, time of day, time of hour (a log-HAR model).
   The weights come from least squares, first on logarithms, then reweighted so that the variance itself is right on average.
2. Each minute of the hour has its own factor; minutes :00, :15, :30 and :45 are wilder.
3. The 80 and 95 % bands are that width times a table of quantiles per horizon, calibrated on months that no weight has seen.
4. The candles are one of 64 paths drawn from fitted tables of bodies and wicks. Of the quarter with typical roughness the one nearest to
   the others is shown. The same symbol, minute and version always give the same picture. No recorded candle is part of the model.

The neural models, Panther and Lion, are not trained yet and say so.

## What it can and cannot do

- It can say how much the price is likely to move. It cannot say where to: its median is the last close, at every horizon, on purpose. Nothing we
  measured beats the last close at one minute, and no hit rate is promised.
- The candles shown are one plausible path, not the expected one. As a point forecast they are worse than the last close (see 'path error').
- Volume is not forecast and is given as 0.
- Shares and gold stand on a few weeks of data; the dollar index and oil on none: they borrow gold's tables and are not evaluated.
- Fewer than 450 candles are accepted down to 120: every mean then runs over the candles there are. Below 120 there is no forecast.
- News, halts and the first minutes after a weekend are not known to it.

## Data

${manifest.data.length} files of one-minute candles (names and checksums in manifest.json); none of them, and no slice, is part of this repository.

| part | span |
|---|---|
${Object.entries(manifest.spans)
  .map(([part, span]) => `| ${part} | ${span} |`)
  .join('\n')}

Windows used: ${Object.entries(manifest.windows)
    .map(
      ([part, counts]) =>
        `${part} ${Object.entries(counts)
          .map(([kind, n]) => `${n} ${kind}`)
          .join(', ')}`,
    )
    .join('; ')}. Every symbol weighs the same.

For crypto one calendar holds for all symbols. Shares and gold exist only for weeks of 2025, so their own offsets and tables come from the first two thirds of that
span; nothing of it enters the weights that crypto uses.

Not everything is clean out of sample. Set after a look at test figures: the clustering inside paths, how far the offsets of shares and gold are held back,
and, in the drawn paths alone, the share of wicks and the two factors that lengthen bodies and wicks (their values are fitted on validation). The figures of drawn candles below are
therefore flattered. The weights, the hour rhythm and the quantile tables of crypto, and with them CRPS and coverage, were fitted without a look at the test.

## Figures on the test spans

Windows start every ${figures[0]?.strideMinutes ?? 0} minutes. Skill is the per cent by which Bobcat's error is lower than the baseline's; below 0 it is worse. In brackets: 95 % interval from 400
resamplings of six-hour blocks. An interval that holds 0 shows no difference.

${figures.map(groupText).join('\n\n')}

Baselines, each fitted on the same symbol's earlier candles (every 13 minutes), all with their median at the last close: a walk of constant volatility (normal); of exponentially
weighted volatility, half-life 60 minutes, from returns and ranges ('ewma') or from returns alone ('ewma-returns'), normal or with empirical quantiles; and log-HAR refitted per
symbol, with empirical quantiles. The last is Bobcat's own kind: that it is hardly beaten is expected, and it is what the neural models will be measured by.

## Misses

${missesText(figures)}

## Commands

\`\`\`
node_modules/.bin/node scripts/fit-bobcat.ts --data DIR     # refits from scratch and rewrites this folder: two minutes on two cores
node_modules/.bin/node bench/forecast.ts --data DIR --stride 7       # the tables above at --stride 7; also --from ISO --to ISO --out F.jsonl
node_modules/.bin/node bench/forecast.ts                     # speed and sharing on made-up candles
\`\`\`
`;
}

function groupText({ group, skill, realism }: GroupFigures): string {
  const rows = Object.entries(skill.crpsSkillPercent).map(
    ([name, byColumn]) => `| CRPS against ${name} | ${SCORE_COLUMNS.map((c) => interval(byColumn[c])).join(' | ')} |`,
  );
  const line = (table: Record<string, Interval>): string =>
    Object.entries(table)
      // Normal or empirical quantiles make no difference to a volatility.
      .filter(([name]) => !/^ewma.*empirical$/.test(name))
      .map(([name, value]) => `${name} ${interval(value)}`)
      .join('; ');
  const bySymbol = Object.entries(skill.coverageBySymbol).map(([name, c]) => `${name} ${c.within80} / ${c.within95}`);
  const byWidth = skill.coverageByWidth.map((c) => `${c.within80} / ${c.within95}`);
  return `### ${TITLES[group] ?? group}

${skill.windows} windows, ${skill.blocks} blocks, ${skill.symbols.length} symbol(s).

| skill in per cent | ${SCORE_COLUMNS.join(' | ')} |
|---|${SCORE_COLUMNS.map(() => '---|').join('')}
${rows.join('\n')}

- Coverage, all horizons: 80 % band ${interval(skill.coverage.pooled80)}, 95 % band ${interval(skill.coverage.pooled95)}.
  By symbol (80 / 95): ${bySymbol.join(', ')}. By width, narrowest third first: ${byWidth.join(', ')}.
- Realised volatility of 50 minutes, skill of the log error: ${line(skill.rv50SkillPercent)}.
- Range of 50 minutes, the same: ${line(skill.range50SkillPercent)}.
- Median against last close: the same by construction.
- Drawn candles against real ones (${realism.candles} candles): ${realism.invariantViolations} broken, roughness ${realism.roughnessRatio}, range ${realism.rangeRatio}, KS distance of returns
  ${realism.ksDistance}, lag-1 autocorrelation of absolute returns ${realism.autocorrelation.drawn} (real ${realism.autocorrelation.real}), path error over that of the last close at 10 and 50 minutes
  ${realism.pathErrorRatio.h10} and ${realism.pathErrorRatio.h50}.`;
}

/** What falls short of the marks we set, named by the numbers themselves. */
function missesText(figures: readonly GroupFigures[]): string {
  const misses = figures.flatMap(({ group, skill, realism }) => {
    const found: string[] = [];
    const [covered80] = skill.coverage.pooled80;
    const [covered95] = skill.coverage.pooled95;
    if (Math.abs(covered80 - 80) > 1) found.push(`the 80 % band covers ${covered80} %`);
    if (Math.abs(covered95 - 95) > 0.7) found.push(`the 95 % band covers ${covered95} %`);
    skill.coverageByWidth.forEach((c, i) => {
      const third = ['narrowest', 'middle', 'widest'][i];
      if (Math.abs(c.within80 - 80) > 2) found.push(`the ${third} third's 80 % band covers ${c.within80} %`);
    });
    for (const [name, c] of Object.entries(skill.coverageBySymbol)) {
      if (Math.abs(c.within80 - 80) > 2) found.push(`${name}'s 80 % band covers ${c.within80} %`);
    }
    for (const [name, columns] of Object.entries(skill.crpsSkillPercent)) {
      const unproven = SCORE_COLUMNS.filter((c) => (columns[c]?.[1] ?? 0) <= 0);
      if (unproven.length > 0)
        found.push(`CRPS skill against ${name} is not above 0 for sure at ${unproven.join(', ')}`);
    }
    for (const [what, table] of [
      ['volatility', skill.rv50SkillPercent],
      ['range', skill.range50SkillPercent],
    ] as const) {
      const [value, , high] = table['har-empirical'] ?? [0, 0, 0];
      if (high < 0) found.push(`${what} of 50 minutes is forecast worse than by HAR per symbol (${value} %)`);
    }
    if (realism.ksDistance > 0.03) found.push(`KS distance of returns ${realism.ksDistance} is above 0.03`);
    const { drawn, real } = realism.autocorrelation;
    if (Math.abs(drawn - real) > 0.1) found.push(`autocorrelation of absolute returns ${drawn} against ${real}`);
    return found.length === 0 ? [] : [`- ${TITLES[group] ?? group}: ${found.join('; ')}.`];
  });
  return misses.length === 0 ? 'None by the marks we set.' : misses.join('\n');
}

function interval(value: Interval | undefined): string {
  return value === undefined ? '' : `${value[0]} [${value[1]}, ${value[2]}]`;
}
