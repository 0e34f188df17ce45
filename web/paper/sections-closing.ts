/** The paper's end: how to reproduce it, and its references. */
import { html, type Markup } from './markup.ts';
import type { PaperData } from './paper-data.ts';

export function doingItAgain(data: PaperData): Markup {
  return html`<section aria-labelledby="again"><h2 id="again">11. Doing it again</h2><p>With the source of the site and a folder of candle files (<code>SYMBOL-1m.csv.gz</code>: time, open, high, low, close, volume), these commands train a model, measure all three beside every baseline, and measure them on any other span or symbol:</p>
<pre tabindex="0"><code>npm run train -- bobcat --data DIR
npm run measure -- models --data DIR
npm run bench -- forecast --data DIR --stride 7 --out F.jsonl</code></pre>
<p>A second program that shares no code with the first, <code>scripts/operator/rebuild-figures.ts</code>, rebuilds each figure from the lines written by <code>--out</code>. Each manifest holds checksums of the candle files, the network and the tables. This document is written by the build from those manifests (${data.models.map(({ modelVersion }) => modelVersion).join(', ')}), so its figures are theirs.</p>
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
