import { coverageText, describeOrder, MAIN_GROUP, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { SCORED_HORIZONS } from '#domain/forecast/model-figures.ts';
import { spellDates } from '#domain/format/dates.ts';
import { formatPrice } from '#domain/format/price.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData, type PaperModel, sum } from './paper-data.ts';

export function features(data: PaperData): Markup {
  const { input } = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="features"><h2 id="features">3. What the networks read</h2>
<p>Each forecast reads the last ${input.lookbackBars} closed candles (at least ${input.minLookbackBars}) and the calendar, and nothing else: no news, no order book, no other symbol. Everything is relative to the market’s own scale, so prices and their unit drop out. The scale is the root of an exponentially weighted mean (half-life 60 minutes) of half the squared return and half Parkinson’s range estimate [9]. It is computed from the lookback alone. Computing it over lookback and target together is the most common leak in this field.</p>
<p>Averages of returns and ranges over 1 to ${input.lookbackBars} minutes, time of day, hour and week, time since a session’s open and the kind of market go to every network. The two larger ones also read volume, signed moves, the share of minutes without a move, and the minutes one by one (return, range, wicks, volume, gaps). Training and serving compute the features with the same code.</p>
</section>`;
}

export function networks(): Markup {
  return html`<section aria-labelledby="networks"><h2 id="networks">4. Three networks</h2>
<p>All three have a linear part, fitted by least squares like a log-HAR model, so training starts at HAR’s accuracy. A network beside it learns what that part misses. Bobcat’s is a perceptron on averages. Panther adds a transformer over patches of minutes [10], short ones for the last hour and a half, long ones before that. Lion averages several networks of different kinds.</p>
<p>The networks output the variance of each coming minute and are trained on QLIKE, a loss that ranks volatility forecasts correctly although volatility itself is never observed [11]. In our first attempts, fitting the quantiles of fifty horizons directly and leaving the median free overfitted within minutes. More parameters did not help on the validation windows. The inputs mattered more than the size of the network, which is why none of the three is large.</p>
</section>`;
}

export function calibration(data: PaperData): Markup {
  const { output } = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="calibration"><h2 id="calibration">5. Calibration</h2>
<p>A band is the network’s volatility at a horizon times a table of standardised moves, ${output.quantileLevels.length} quantile levels [12] at ${output.horizonBars} horizons. The table comes from validation months, on which no weight was fitted, in the spirit of split conformal prediction [13, 14]. A small correction depends on the lookback (its wicks, its tails, the hour). Tables from the training months gave bands that were too narrow or too wide by several points. Lower quantiles mirror the upper ones.</p>
<p>Conformal prediction’s coverage holds where calibration and use are exchangeable. Months of a market are not: we claim no such guarantee, and figure 2 shows by how much the bands miss on later months.</p>
</section>`;
}

export function drawnCandles(data: PaperData): Markup {
  const { output } = modelNamed(data.models, 'lion');
  const { realism } = groupFigures(modelNamed(data.models, 'lion'), MAIN_GROUP);
  return html`<section aria-labelledby="paths"><h2 id="paths">6. From bands to candles</h2>
<p>People read candles, so the site draws ${output.horizonBars} of them: one of ${output.paths} paths, drawn from fitted tables of bodies and wicks with the forecast variance, much as in filtered historical simulation [15] but without a single recorded candle. Among the paths of typical roughness, the site shows the one closest to the others. Their mean would be a smooth line that no market ever drew.</p>
<p>A plausible path is not an expected one. As a point forecast, the error of Lion’s drawn close is ${realism.pathErrorRatio.h10.toFixed(2)} times that of the last close at 10 minutes, and ${realism.pathErrorRatio.h50.toFixed(2)} times at 50. The same symbol, minute and model version always give the same picture.</p>
</section>`;
}

export function measuring(data: PaperData): Markup {
  const { strideMinutes, skill } = groupFigures(modelNamed(data.models, 'lion'), MAIN_GROUP);
  return html`<section aria-labelledby="measuring"><h2 id="measuring">7. How it was measured</h2><div class="columns">
<p>Each model and every baseline makes a forecast every ${strideMinutes} minutes, in one run and on the same windows. That interval shares no factor with 60, because volatility has a rhythm within the hour. The score is CRPS [16, 17], computed as twice the mean pinball loss over the quantile levels. Each symbol is weighted by the inverse of its volatility. ‘All’ is the mean, over the fifty horizons, of CRPS divided by the square root of the horizon. Skill is how much lower a model’s sum is than the baseline’s, in percent. The tables show horizons ${SCORED_HORIZONS.join(', ')} and all.</p>
<p>All baselines have their median at the last close. Two are random walks: one with constant volatility, and the EWMA random walk, whose volatility is exponentially weighted (as in RiskMetrics [7], half-life 60 minutes), with normal and with empirical quantiles. Two are log-HAR models [8]: per-symbol log-HAR, refitted on each symbol’s own history, and pooled log-HAR, fitted on all coins, which has seen the same data as the networks.</p>
<p>Overlapping windows make ordinary tests far too optimistic. Intervals come from a paired bootstrap over six-hour blocks common to all symbols [18], ${skill.blocks} of them in the main group; with fewer than 200, we show the interval but claim no difference. Automated tests look for leaks: changing the future must not change a byte of the forecast, an oracle that peeks must be caught, and shuffled targets must leave no skill.</p>
</div></section>`;
}

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

export function orderOfModels(data: PaperData): Markup {
  const sentences = data.models.flatMap(({ model, figures }, index) =>
    data.models.slice(0, index).map((smaller) => describeOrder(model, smaller.model, figures, MAIN_GROUP)),
  );
  return html`<p class="order">${sentences.filter((text) => text !== '').join(' ')}</p>`;
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
