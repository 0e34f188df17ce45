import { coverageText, describeOrder, MAIN_GROUP, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { SCORED_HORIZONS } from '#domain/forecast/model-figures.ts';
import { spellDates } from '#domain/format/dates.ts';
import { formatPrice } from '#domain/format/price.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData, type PaperModel, sum } from './paper-data.ts';

export function features(data: PaperData): Markup {
  const { input } = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="features"><h2 id="features">3. What the networks read</h2>
<p>Each forecast reads the last ${input.lookbackBars} closed candles (at least ${input.minLookbackBars}) and the calendar, and nothing else: no news, no order book, no other symbol. Everything is relative to the market’s own scale, so prices and their unit drop out. The scale is the root of an exponentially weighted mean (half-life 60 minutes) of half the squared return and half Parkinson’s range estimate [9]. It is computed from the lookback alone. A mean taken over lookback and target together is the commonest leak of this field.</p>
<p>Averages of returns and ranges over 1 to ${input.lookbackBars} minutes, time of day, hour and week, time since a session’s open and the kind of market go to every network. Volume, signed moves and the share of still minutes go to the two larger ones, and so do the minutes one by one (return, range, wicks, volume, gaps). Features are computed by one program that training and serving share.</p>
</section>`;
}

export function networks(): Markup {
  return html`<section aria-labelledby="networks"><h2 id="networks">4. Three networks</h2>
<p>All three hold a linear part, set by least squares like a log-HAR model, so that training starts at HAR’s accuracy; a network beside it learns what that part leaves over. Bobcat’s is a perceptron on averages. Panther adds a transformer over patches of minutes [10], short patches for the last hour and a half, long ones before. Lion is the mean of several networks of different kinds in one graph.</p>
<p>The networks answer with the variance of each coming minute and are fitted on QLIKE, a loss that ranks volatility forecasts rightly although volatility itself is never seen [11]. Fitting quantiles of fifty horizons directly, and leaving the median free, overfitted within minutes in our first attempts. More parameters changed nothing on validation windows; what is read mattered more than how much computes on it, which is why none of the three is large.</p>
</section>`;
}

export function calibration(data: PaperData): Markup {
  const { output } = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="calibration"><h2 id="calibration">5. Calibration</h2>
<p>A band is the network’s volatility at a horizon times a table of standardised moves, ${output.quantileLevels.length} quantile levels [12] at ${output.horizonBars} horizons. The table comes from validation months, on which no weight was fitted, in the spirit of split conformal prediction [13, 14]. A small correction follows the look of the lookback (its wicks, its tails, the hour). Tables from the training months gave bands that were too narrow or too wide by several points. Lower quantiles mirror the upper ones.</p>
<p>Conformal prediction’s coverage holds where calibration and use are exchangeable. Months of a market are not: we claim no such guarantee, and figure 2 shows by how much the bands miss on later months.</p>
</section>`;
}

export function drawnCandles(data: PaperData): Markup {
  const { output } = modelNamed(data.models, 'lion');
  const { realism } = groupFigures(modelNamed(data.models, 'lion'), MAIN_GROUP);
  return html`<section aria-labelledby="paths"><h2 id="paths">6. From bands to candles</h2>
<p>People read candles, so the site draws ${output.horizonBars} of them: one of ${output.paths} paths, drawn from fitted tables of bodies and wicks with the forecast variance, much as in filtered historical simulation [15] but without a single recorded candle. Of the paths of typical roughness the one nearest to the others is shown. Their mean would be a smooth line that no market ever drew.</p>
<p>A plausible path is not an expected one. As a point forecast Lion’s drawn close errs ${realism.pathErrorRatio.h10.toFixed(2)} times as much as the last close at 10 minutes, and ${realism.pathErrorRatio.h50.toFixed(2)} times at 50. The same symbol, minute and model version always give the same picture.</p>
</section>`;
}

export function measuring(data: PaperData): Markup {
  const { strideMinutes, skill } = groupFigures(modelNamed(data.models, 'lion'), MAIN_GROUP);
  return html`<section aria-labelledby="measuring"><h2 id="measuring">7. How it was measured</h2><div class="columns">
<p>Every ${strideMinutes} minutes (no common factor with 60, for volatility has a rhythm within the hour) each model forecasts, and so do all baselines, in one run and on the same windows. The score is CRPS [16, 17], computed as twice the mean pinball loss over the quantile levels. Symbols weigh one over their own volatility, and ‘all’ is the mean over the fifty horizons of CRPS over the root of the horizon. Skill is the per cent by which a model’s sum is lower than the baseline’s. The tables show horizons ${SCORED_HORIZONS.join(', ')} and all.</p>
<p>All baselines have their median at the last close. There is a walk with constant volatility, and one with exponentially weighted volatility (RiskMetrics’ idea [7], half-life 60 minutes), with normal and with empirical quantiles. There is log-HAR [8] refitted for each symbol on its own past, and log-HAR fitted on all coins, which has seen what the networks have seen.</p>
<p>Overlapping windows make ordinary tests far too optimistic. Intervals come from a paired bootstrap over six-hour blocks common to all symbols [18], ${skill.blocks} of them in the main group; with fewer than 200 an interval is shown but no difference called. Leaks are looked for by machine: another future after the forecast must not change a byte of it, an oracle that peeks must be caught, shuffled targets must leave no skill.</p>
</div></section>`;
}

export function abstract(data: PaperData): Markup {
  const lion = modelNamed(data.models, 'lion');
  const { skill } = groupFigures(lion, MAIN_GROUP);
  const missed = data.models.map(({ model }) => data.aims[model].filter(({ isMet }) => !isMet).length);
  return html`<section class="abstract" aria-labelledby="abstract"><h2 id="abstract">Abstract</h2>
<p>From the last ${lion.input.lookbackBars} one-minute candles, three small networks say how far a price is likely to move in each of the next ${lion.output.horizonBars} minutes. They do not say where to: at one minute nothing that we measured beats the last close, so the last close is the median of every forecast. What can be forecast is the width. On ${formatPrice(skill.windows, 0)} windows in months that no weight was fitted on, the largest network’s bands err less than those of a random walk with exponentially weighted volatility, ${skillText(skill.crpsSkillPercent['ewma-gauss'].all)} (CRPS, 95% interval), and less than those of a log-HAR model, ${skillText(skill.crpsSkillPercent['har-empirical'].all)}. Its 80% band held ${coverageText(skill.coverage.pooled80, 80)} of 100 closes. These are small numbers, and several of the aims that we set were missed (${missed.join(', ')} of them by the three models): they are reported in full below.</p></section>`;
}

export function predictability(data: PaperData): Markup {
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
<p>${formatPrice(model.data.length, 0)} files of recorded one-minute candles, ${formatPrice(rows, 0)} rows between ${month(first)} and ${month(last)} with long gaps between spans: ${symbolList(model)}. ‘.P’ is a perpetual future, the rest is spot or, for shares and gold, a broker’s feed. Rows off the minute or inconsistent are refused, and nothing is filled in: a missing minute stays missing, and no target crosses one. The dollar index and oil had none: forecasts of them borrow gold’s place and are not evaluated.</p>
<p>All symbols are cut by one calendar, never at random, because they move together. Fitted on: ${spellDates(model.spans.fit)}. Validated and calibrated on: ${spellDates(model.spans.validate)}. Tested on: ${spellDates(model.spans.test)}; ${model.spans.late}, except DOGE, which has no other test span and is in the main group. Left out: ${model.spans.purge}. That leaves ${formatPrice(sum(model.windows.fit), 0)} windows to fit and ${formatPrice(sum(model.windows.validate), 0)} to validate.</p>
<p>Recorded candles are used to fit and to measure, and never given on: neither the site nor its source holds one. What ships are weights, tables of fitted statistics and the figures of this paper. Where the site cannot reach an exchange it shows a simulated market and says so; no figure here was measured on simulated candles.</p>
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
