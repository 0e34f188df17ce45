/** Sections 3 to 7 of the paper: features, networks, calibration, drawn candles, and how the models were measured. */
import { MAIN_GROUP } from '#domain/forecast/figures/figure-messages.ts';
import { SCORED_HORIZONS } from '#domain/forecast/model-figures.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData } from './paper-data.ts';

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
