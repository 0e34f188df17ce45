/** The paper's abstract and its sections 1 and 2: what can be forecast, and the data. */
import { coverageText, MAIN_GROUP, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { spellDates } from '#domain/format/dates.ts';
import { formatPrice } from '#domain/format/price.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData, type PaperModel, sum } from './paper-data.ts';

export function abstract(data: PaperData): Markup {
  const lion = modelNamed(data.models, 'lion');
  const { skill } = groupFigures(lion, MAIN_GROUP);
  const missed = data.models.map(({ model }) => data.aims[model].filter(({ isMet }) => !isMet).length);
  return html`<section class="abstract" aria-labelledby="abstract"><h2 id="abstract">Abstract</h2>
<p>From the last ${lion.input.lookbackBars} one-minute candles, three small networks forecast how far a price is likely to move in each of the next ${lion.output.horizonBars} minutes. They do not forecast its direction: at one minute, nothing we measured beats the last close, so the last close is the median of every forecast. What can be forecast is the width. On ${formatPrice(skill.windows, 0)} windows in months that no weight was fitted on, the largest network’s bands have a lower error than those of a random walk with exponentially weighted volatility (EWMA), ${skillText(skill.crpsSkillPercent['ewma-gauss'].all)} (CRPS, 95% interval), and than those of a log-HAR model, ${skillText(skill.crpsSkillPercent['har-empirical'].all)}. Its 80% band held ${coverageText(skill.coverage.pooled80, 80)} of 100 closes. These are small gains, and the three models missed several of the targets we set (${missed.join(', ')}). All are reported below.</p></section>`;
}

export function predictability(data: PaperData): Markup {
  const lion = modelNamed(data.models, 'lion');
  const { skill } = groupFigures(lion, MAIN_GROUP);
  return html`<section aria-labelledby="possible"><h2 id="possible">1. What can be forecast, and what cannot</h2><div class="columns">
<p>That speculative prices move almost like a random walk is older than computers [1], and a large literature on efficient markets explains why [2]: what is known is already in the price. Even models that explain a price in hindsight rarely beat its last value in advance [3]. One-minute candles are no exception. Linear models, networks with a free median and the drift of the lookback all did worse than the last close in our trials, and the sign of the next move remained a coin toss. We therefore fix the median at the last close and promise no hit rate.</p>
<p>The size of moves is another matter. Volatile minutes follow volatile minutes [4, 5], and volatility has a rhythm within the day and the hour. Models of it have been known for decades: ARCH and its relatives [6], exponentially weighted averages (EWMA) [7], and HAR [8], a regression on volatility over several spans, which networks rarely beat by much. Realised volatility of the next ${lion.output.horizonBars} minutes can be forecast with clearly less error than by EWMA (Lion: ${skillText(skill.rv50SkillPercent['ewma-gauss'])}). Little of that gain remains in the score of a whole distribution, because most of what happens within a band of the right width is still chance. A gain of many percent over HAR in that score would be a sign of a leak, not a triumph.</p>
</div></section>`;
}

export function dataSection(data: PaperData): Markup {
  const model = modelNamed(data.models, 'lion');
  const rows = model.data.reduce((total, file) => total + file.rows, 0);
  const first = Math.min(...model.data.map(({ firstS }) => firstS));
  const last = Math.max(...model.data.map(({ lastS }) => lastS));
  return html`<section aria-labelledby="data"><h2 id="data">2. Data</h2><div class="columns">
<p>${formatPrice(model.data.length, 0)} files of recorded one-minute candles, ${formatPrice(rows, 0)} rows between ${month(first)} and ${month(last)} with long gaps between spans: ${symbolList(model)}. ‘.P’ is a perpetual future, the rest is spot or, for shares and gold, a broker’s feed. We reject rows that are inconsistent or off the minute, and fill nothing in: a missing minute stays missing, and no target crosses one. We had no data for the dollar index and oil: their forecasts treat them as gold and are not evaluated.</p>
<p>All symbols are split by one calendar, never at random, because they move together. Trained on: ${spellDates(model.spans.fit)}. Validated and calibrated on: ${spellDates(model.spans.validate)}. Tested on: ${spellDates(model.spans.test)}; ${model.spans.late}, except DOGE, which has no other test span and is in the main group. Left out: ${model.spans.purge}. That leaves ${formatPrice(sum(model.windows.fit), 0)} windows to train on and ${formatPrice(sum(model.windows.validate), 0)} to validate on.</p>
<p>Recorded candles are used for training and testing and never redistributed: neither the site nor its source contains any. What ships are weights, tables of fitted statistics and the figures in this paper. When the site cannot reach an exchange, it shows a simulated market and says so. No figure here was measured on simulated candles.</p>
</div></section>`;
}

/** 'BTCUSDT, BTCUSDT.P, ...' from the file names. */
function symbolList({ data }: PaperModel): string {
  const names = data.map(({ file }) => file.replace(/-1m\.csv\.gz$/, '').replace(/^(aux|apache2)-/, ''));
  return [...new Set(names.map((name) => name.replace(/-[a-z]+$/, '')))].sort().join(', ');
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function month(epochS: number): string {
  return MONTH.format(new Date(epochS * 1000));
}
