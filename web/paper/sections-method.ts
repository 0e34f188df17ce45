/** The paper's method: features, networks, calibration, drawn candles, measurement. */
import { MAIN_GROUP } from '#domain/forecast/figures/figure-messages.ts';
import { SCORED_HORIZONS } from '#domain/forecast/model-figures.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData } from './paper-data.ts';

export function features(data: PaperData): Markup {
  const { input } = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="features"><h2 id="features">3. What the networks read</h2>
<p>Each forecast reads the last ${input.lookbackBars} closed candles (at least ${input.minLookbackBars}) and the calendar, and nothing else: no news, no order book, no other symbol. Everything is relative to the market’s own scale, the root of an exponentially weighted mean (half-life 60 minutes) of half the squared return and half Parkinson’s range estimate [9], so prices and their unit drop out. The scale is computed from the lookback alone. A mean taken over lookback and target together is the commonest leak of this field.</p>
<p>Averages of returns and ranges over 1 to ${input.lookbackBars} minutes, time of day, hour and week, time since a session’s open and the kind of market go to every network; volume, signed moves and the share of still minutes to the two larger ones, and the minutes one by one (return, range, wicks, volume, gaps) as well. Features are computed by one program that training and serving share.</p>
</section>`;
}

export function networks(): Markup {
  return html`<section aria-labelledby="networks"><h2 id="networks">4. Three networks</h2>
<p>All three hold a linear part, set by least squares like a log-HAR model, so that training starts where HAR stands; a network beside it learns what that part leaves over. Bobcat’s is a perceptron on averages. Panther adds a transformer over patches of minutes [10], short patches for the last hour and a half, long ones before. Lion is the mean of several networks of different kinds in one graph.</p>
<p>The networks answer with the variance of each coming minute and are fitted on QLIKE, a loss that ranks volatility forecasts rightly although volatility itself is never seen [11]. Fitting quantiles of fifty horizons directly, and leaving the median free, overfitted within minutes in our first attempts. More parameters changed nothing on validation windows; what is read mattered more than how much computes on it, which is why none of the three is large.</p>
</section>`;
}

export function calibration(data: PaperData): Markup {
  const { output } = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="calibration"><h2 id="calibration">5. Calibration</h2>
<p>A band is the network’s volatility at a horizon times a table of standardised moves, ${output.quantileLevels.length} quantile levels [12] at ${output.horizonBars} horizons. The table comes from validation months, on which no weight was fitted, in the spirit of split conformal prediction [13, 14]; a small correction follows the look of the lookback (its wicks, its tails, the hour). Tables from the training months gave bands that were too narrow or too wide by several points. Lower quantiles mirror the upper ones.</p>
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
<p>Every ${strideMinutes} minutes (no common factor with 60, for volatility has a rhythm within the hour) each model forecasts, and so do all baselines, in one run and on the same windows. The score is CRPS [16, 17], computed as twice the mean pinball loss over the quantile levels; symbols weigh one over their own volatility, and ‘all’ is the mean over the fifty horizons of CRPS over the root of the horizon. Skill is the per cent by which a model’s sum is lower than the baseline’s. Told are horizons ${SCORED_HORIZONS.join(', ')} and all.</p>
<p>Baselines, all with their median at the last close: a walk with constant volatility; one with exponentially weighted volatility (RiskMetrics’ idea [7], half-life 60 minutes), with normal and with empirical quantiles; log-HAR [8] refitted for each symbol on its own past, and log-HAR fitted on all coins, which has seen what the networks have seen.</p>
<p>Overlapping windows make ordinary tests far too optimistic. Intervals come from a paired bootstrap over six-hour blocks common to all symbols [18], ${skill.blocks} of them in the main group; with fewer than 200 an interval is shown but no difference called. Leaks are looked for by machine: another future after the forecast must not change a byte of it, an oracle that peeks must be caught, shuffled targets must leave no skill.</p>
</div></section>`;
}
