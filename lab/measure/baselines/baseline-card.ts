/** models/baseline/README.md, and `5min.md` and `15min.md` beside it: what the baseline is, what it was fitted on, and how well it performs. */
import { groupedCount } from '../../../domain/format/count.ts';
import { zonedMinute } from '../../../domain/format/zoned-time.ts';
import { barMinutesOf, DEFAULT_TIMEFRAME } from '../../../domain/market/timeframes.ts';
import { timeframeOfRecord } from '../../../domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { PRIOR_STRIDE_BARS } from '../windows/sampling.ts';
import type { BaselineFigures } from './baseline-figures.ts';
import type { FittedBaseline } from './baseline-file.ts';

export function baselineCard(
  { table, fittedOn }: FittedBaseline,
  figures: readonly BaselineFigures[],
  strideMinutes: number,
): string {
  const data = fittedOn.map(
    ({ file, sha256, windows, from, to }) =>
      `| \`${file}\` | \`${sha256.slice(0, 16)}\` | ${groupedCount(windows)} | ${minuteOf(from)} to ${minuteOf(to)} |`,
  );
  const rows = figures.flatMap(({ assetClass, windows, skill, cover80, cover95 }) => [
    row(`${assetClass}, CRPS over the EWMA baseline, %`, windows, skill),
    row(`${assetClass}, closes in the 80% band, %`, windows, cover80),
    row(`${assetClass}, closes in the 95% band, %`, windows, cover95),
  ]);
  const timeframe = timeframeOfRecord(table);
  const isOfMinutes = timeframe === DEFAULT_TIMEFRAME;
  const fitMinutes = PRIOR_STRIDE_BARS[timeframe] * barMinutesOf(timeframe);
  const [title, command, bars] = isOfMinutes
    ? ['# The baseline of the public record', 'npm run lab -- measure baseline', 'minutes']
    : [
        `# The baseline of the record of ${timeframe}`,
        `npm run lab -- measure baseline --timeframe ${timeframe}`,
        'bars',
      ];
  return `${title}

Version \`${table.version}\`, named in \`current.json\`. Written by \`${command}\`; every figure below is of this version.
A version is never changed: records name it, and its file stays here and at \`/record/baselines/${table.version}.json\`.

Log-HAR is the logarithm of the variance of six stretches of ${bars} (from ${table.binStarts.join(', ')} on). It is linear in the volatility of
the last 5 to 450 ${bars} and the time of day, and fitted by asset class. Its quantiles are its sigma times a table of standardised moves.
\`server/record/house/har-forecast.ts\` evaluates it, \`lab/measure/baselines/har-baseline.ts\` fits it. ${
    isOfMinutes
      ? 'Index and energy, of which there\nare no candles, use the numbers of crypto.'
      : 'Longer candles\nare recorded for coins alone, so that there is no other class.'
  } No recorded candle is in the file.

The version's digits are those of the SHA-256 of the file's JSON without the field \`version\`: anybody can take it out and count again.

## Fitted on

The first part of the splits (\`lab/measure/windows/splits.ts\`), every ${fitMinutes} minutes: what the weights of the models were fitted on, and nothing
later. The 51 ${bars} before each border are dropped.

| file | SHA-256 | windows | t0 |
|---|---|---|---|
${data.join('\n')}

## On later spans

The test spans of 2025 and the spans of 2026, every ${strideMinutes} minutes.${isOfMinutes ? " Gold's test span is two days; most of its windows are of 2026." : ''}

| | windows | ${SCORED_BARS.map((bar) => `bar ${bar}`).join(' | ')} |
|---|---|${SCORED_BARS.map(() => '---|').join('')}
${rows.join('\n')}
`;
}

function row(name: string, windows: number, shares: readonly number[]): string {
  const cells = shares.map((share) => (100 * share).toFixed(2));
  return `| ${name} | ${groupedCount(windows)} | ${cells.join(' | ')} |`;
}

function minuteOf(iso: string): string {
  return zonedMinute(Date.parse(iso), 'UTC');
}
