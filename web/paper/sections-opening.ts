/** The paper's opening: abstract, what can be forecast at one minute, the data. */
import { coverageText, describeOrder, MAIN_GROUP, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { spellDates } from '#domain/format/dates.ts';
import { formatPrice } from '#domain/format/price.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData, type PaperModel, sum } from './paper-data.ts';

export function abstract(data: PaperData): Markup {
  const lion = modelNamed(data.models, 'lion');
  const { skill } = groupFigures(lion, MAIN_GROUP);
  const missed = data.models.map(({ model }) => data.aims[model].filter(({ isMet }) => !isMet).length);
  return html`<section class="abstract" aria-labelledby="abstract"><h2 id="abstract">Abstract</h2>
<p>From the last ${lion.input.lookbackBars} one-minute candles, three small networks say how far a price is likely to move in each of the next ${lion.output.horizonBars} minutes. They do not say where to: at one minute nothing that we measured beats the last close, so the last close is the median of every forecast. What can be forecast is the width. On ${formatPrice(skill.windows, 0)} windows in months that no weight was fitted on, the largest network’s bands err less than those of a random walk with exponentially weighted volatility, ${skillText(skill.crpsSkillPercent['ewma-gauss'].all)} (CRPS, 95&nbsp;% interval), and less than those of a log-HAR model, ${skillText(skill.crpsSkillPercent['har-empirical'].all)}. Its 80&nbsp;% band held ${coverageText(skill.coverage.pooled80, 80)} of 100 closes. These are small numbers, and several of the aims that we set were missed (${missed.join(', ')} of them by the three models): they are told in full below.</p></section>`;
}

export function whatCanBeForecast(data: PaperData): Markup {
  const lion = modelNamed(data.models, 'lion');
  const { skill } = groupFigures(lion, MAIN_GROUP);
  return html`<section aria-labelledby="possible"><h2 id="possible">1. What can be forecast, and what cannot</h2><div class="columns">
<p>That speculative prices move almost like a random walk is older than computers [1], and a large literature on efficient markets says why it should be so [2]: what is known is in the price. Even models that explain a price afterwards are hard put to beat its last value beforehand [3]. One-minute candles are no exception. Linear models, networks with a free median and the drift of the lookback all did worse than the last close in our trials, and the sign of the next move stayed a coin’s. We therefore fix the median at the last close and promise no hit rate.</p>
<p>The size of moves is another matter. Wild minutes follow wild minutes [4, 5], and volatility has a rhythm within the day and the hour. Models of it are known for decades: ARCH and its kin [6], exponentially weighted means [7], and regressions on volatility over several spans, HAR [8], which networks rarely beat by much. Realised volatility of the next ${lion.output.horizonBars} minutes can be forecast with clearly less error than by a fading mean (Lion: ${skillText(skill.rv50SkillPercent['ewma-gauss'])}). In the score of a whole distribution little of that is left, because most of what happens within a band of the right width is still chance. A gain of many per cent over HAR in that score would not be a triumph but a sign of a leak.</p>
</div></section>`;
}

export function dataSection(data: PaperData): Markup {
  const model = modelNamed(data.models, 'lion');
  const rows = model.data.reduce((total, file) => total + file.rows, 0);
  const first = Math.min(...model.data.map(({ firstS }) => firstS));
  const last = Math.max(...model.data.map(({ lastS }) => lastS));
  return html`<section aria-labelledby="data"><h2 id="data">2. Data</h2><div class="columns">
<p>${formatPrice(model.data.length, 0)} files of recorded one-minute candles, ${formatPrice(rows, 0)} rows between ${month(first)} and ${month(last)} with long gaps between spans: ${symbolWords(model)}. ‘.P’ is a perpetual future, the rest is spot or, for shares and gold, a broker’s feed. Rows off the minute or inconsistent are refused, and nothing is filled in: a missing minute stays missing, and no target crosses one. The dollar index and oil had none: forecasts of them borrow gold’s place and are not evaluated.</p>
<p>All symbols are cut by one calendar, never at random, because they move together. Fitted on: ${spellDates(model.spans.fit)}. Validated and calibrated on: ${spellDates(model.spans.validate)}. Tested on: ${spellDates(model.spans.test)}; ${model.spans.late}, but for DOGE, which has no other test span and stands in the main group. Left out: ${model.spans.purge}. That leaves ${formatPrice(sum(model.windows.fit), 0)} windows to fit and ${formatPrice(sum(model.windows.validate), 0)} to validate.</p>
<p>Recorded candles are used to fit and to measure, and never given on: neither the site nor its source holds one. What ships are weights, tables of fitted statistics and the figures of this paper. Where the site cannot reach an exchange it shows a simulated market and says so; no figure here was measured on simulated candles.</p>
</div></section>`;
}

export function orderOfModels(data: PaperData): Markup {
  const words = data.models.flatMap(({ model, figures }, index) =>
    data.models.slice(0, index).map((smaller) => describeOrder(model, smaller.model, figures, MAIN_GROUP)),
  );
  return html`<p class="order">${words.filter((sentence) => sentence !== '').join(' ')}</p>`;
}

/** 'BTCUSDT, BTCUSDT.P, ...' from the file names. */
function symbolWords({ data }: PaperModel): string {
  const names = data.map(({ file }) => file.replace(/-1m\.csv\.gz$/, '').replace(/^(aux|apache2)-/, ''));
  return [...new Set(names.map((name) => name.replace(/-[a-z]+$/, '')))].sort().join(', ');
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function month(epochS: number): string {
  return MONTH.format(new Date(epochS * 1000));
}
