/** Sections 8 to 11 of the paper, and its references. */
import { describeOrder, ENOUGH_BLOCKS, MAIN_GROUP } from '#domain/forecast/figures/figure-messages.ts';
import { formatPrice } from '#domain/format/price.ts';
import { calibrationPlot } from './calibration-plot.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, modelNamed, type PaperData } from './paper-data.ts';
import { keyOfMarks } from './plot.ts';
import { skillPlot } from './skill-plot.ts';
import { groupsTable, missedTable, skillTable } from './tables.ts';

export function results(data: PaperData): Markup {
  const lion = groupFigures(modelNamed(data.models, 'lion'), MAIN_GROUP);
  const { models } = data;
  const names = models.map(({ model }) => model);
  return html`<section aria-labelledby="results"><h2 id="results">8. Results</h2><div class="columns">
<p>The main group is ${lion.title}: ${formatPrice(lion.skill.windows, 0)} windows, ${lion.skill.blocks} blocks. A group of fewer than ${ENOUGH_BLOCKS} blocks gets no verdict.</p>
${orderOfModels(data)}
<p>Against HAR the gains are small throughout; figure 1 shows them by minutes ahead. The bands are better calibrated in some months and for some symbols than for others; figure 2 shows where they miss.</p>
</div>
<div class="beside">${skillTable(data)}
<figure>
<div><h3>Against the EWMA random walk, normal</h3>${skillPlot({ models, baseline: 'ewma-gauss', range: [0, 2.25], step: 0.5, label: 'the EWMA random walk' })}</div>
<div><h3>Against per-symbol log-HAR</h3>${skillPlot({ models, baseline: 'har-empirical', range: [-0.1, 0.7], step: 0.2, label: 'per-symbol log-HAR' })}</div>
${keyOfMarks(names)}<figcaption><strong>Figure 1.</strong> CRPS skill in percent by minutes ahead, with 95% intervals. Above zero, the band’s error is lower than the baseline’s.</figcaption></figure></div>
<figure><div class="pair">
<div><h3>80% band</h3>${calibrationPlot({ models, band: 'within80', target: 80, range: [75, 83] })}</div>
<div><h3>95% band</h3>${calibrationPlot({ models, band: 'within95', target: 95, range: [91, 99] })}</div>
</div>${keyOfMarks(names)}<figcaption><strong>Figure 2.</strong> Calibration: how many of 100 closes fell inside the band, overall and by group. The strong line is the target, the grey area two points on either side. Thirds are by how wide the band was for its symbol.</figcaption></figure>
${groupsTable(data)}
<p class="note">* Fewer than ${ENOUGH_BLOCKS} blocks: the interval is shown, but no difference is claimed. Results for shares come from a few weeks of candles.</p>
</section>`;
}

function orderOfModels(data: PaperData): Markup {
  const sentences = data.models.flatMap(({ model, figures }, index) =>
    data.models.slice(0, index).map((smaller) => describeOrder(model, smaller.model, figures, MAIN_GROUP)),
  );
  return html`<p class="order">${sentences.filter((text) => text !== '').join(' ')}</p>`;
}

export function misses(data: PaperData): Markup {
  const counts = data.models.map(({ model }) => {
    const lines = data.aims[model];
    return `${lines.filter(({ isMet }) => !isMet).length} of ${lines.length}`;
  });
  return html`<section aria-labelledby="misses"><h2 id="misses">9. Missed targets</h2><div class="columns">
<p>We set the targets before measuring the models. Bobcat, Panther and Lion missed ${counts.join(', ')} on the main group. Targets that all three met are not repeated here; the model cards beside the networks list every one, for every group.</p>
<p>The test is not fully unseen. Earlier versions were measured on the same test spans; we fixed two faults found there, and chose both fixes on validation windows. We added plain perceptrons to Lion after a first version showed no lead over Bobcat on the test, so part of its lead may come from having seen it. For a fully unseen test, use candles after May 2026.</p>
</div>${missedTable(data)}</section>`;
}

export function limits(data: PaperData): Markup {
  const lion = modelNamed(data.models, 'lion');
  return html`<section aria-labelledby="limits"><h2 id="limits">10. Limits</h2><ul>
<li><strong>Direction</strong> is not forecast. Neither bands nor candles say where a price goes, and nothing here is a reason to trade.</li>
<li><strong>Costs</strong> are in no figure: no spread, no fee, no slippage.</li>
<li><strong>News, halts</strong> and the first minutes after a weekend are unknown to the models: they see ${lion.input.lookbackBars} candles and a calendar.</li>
<li><strong>Few months.</strong> The test of coins covers March and May 2025 and one month of 2026. Another year may be calmer or wilder than any of these.</li>
<li><strong>Shares and gold</strong> were measured on a few weeks only; there the networks are not shown to be better than HAR.</li>
<li><strong>Volume</strong> is not forecast and is given as 0.</li>
</ul></section>`;
}

export function reproduction(data: PaperData): Markup {
  return html`<section aria-labelledby="again"><h2 id="again">11. Reproducing the results</h2><p>You need the source of the site and a folder of candle files (<code>SYMBOL-1m.csv.gz</code>: time, open, high, low, close, volume). These commands train a model, measure all three against every baseline, and measure them on any other span or symbol:</p>
<pre tabindex="0"><code>npm run lab -- train bobcat --data DIR
npm run lab -- measure models --data DIR
npm run bench -- forecast --data DIR --stride 7 --out F.jsonl</code></pre>
<p>A second program that shares no code with the first, <code>lab/measure/rebuild-figures.ts</code>, rebuilds each figure from the lines written by <code>--out</code>. Each manifest holds checksums of the candle files, the network and the tables. The build generates this document from those manifests (${data.models.map(({ modelVersion }) => modelVersion).join(', ')}), so its figures match them.</p>
</section>`;
}

const REFERENCES: readonly string[] = [
  'Bachelier, L. (1900). Théorie de la spéculation. Annales scientifiques de l’École Normale Supérieure 17.',
  'Fama, E. F. (1970). Efficient capital markets: a review of theory and empirical work. Journal of Finance 25.',
  'Meese, R. A. and Rogoff, K. (1983). Empirical exchange rate models of the seventies: do they fit out of sample? Journal of International Economics 14.',
  'Mandelbrot, B. (1963). The variation of certain speculative prices. Journal of Business 36.',
  'Cont, R. (2001). Empirical properties of asset returns: stylized facts and statistical issues. Quantitative Finance 1.',
  'Engle, R. F. (1982). Autoregressive conditional heteroscedasticity with estimates of the variance of United Kingdom inflation. Econometrica 50.',
  'J.P. Morgan and Reuters (1996). RiskMetrics: technical document, 4th edition.',
  'Corsi, F. (2009). A simple approximate long-memory model of realized volatility. Journal of Financial Econometrics 7.',
  'Parkinson, M. (1980). The extreme value method for estimating the variance of the rate of return. Journal of Business 53.',
  'Nie, Y., Nguyen, N. H., Sinthong, P. and Kalagnanam, J. (2023). A time series is worth 64 words: long-term forecasting with transformers. ICLR.',
  'Patton, A. J. (2011). Volatility forecast comparison using imperfect volatility proxies. Journal of Econometrics 160.',
  'Koenker, R. and Bassett, G. (1978). Regression quantiles. Econometrica 46.',
  'Vovk, V., Gammerman, A. and Shafer, G. (2005). Algorithmic learning in a random world. Springer.',
  'Romano, Y., Patterson, E. and Candès, E. (2019). Conformalized quantile regression. NeurIPS 32.',
  'Barone-Adesi, G., Giannopoulos, K. and Vosper, L. (1999). VaR without correlations for portfolios of derivative securities. Journal of Futures Markets 19.',
  'Matheson, J. E. and Winkler, R. L. (1976). Scoring rules for continuous probability distributions. Management Science 22.',
  'Gneiting, T. and Raftery, A. E. (2007). Strictly proper scoring rules, prediction, and estimation. Journal of the American Statistical Association 102.',
  'Künsch, H. R. (1989). The jackknife and the bootstrap for general stationary observations. Annals of Statistics 17.',
];

export function references(): Markup {
  return html`<section aria-labelledby="references"><h2 id="references">References</h2><ol class="references columns">${REFERENCES.map((work) => html`<li>${work}</li>`)}</ol></section>`;
}
