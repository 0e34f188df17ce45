/** The research paper as an HTML document, readable without a script. Every figure comes from the models' manifests. */
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { type Content, html } from './markup.ts';
import type { PaperData } from './paper-data.ts';
import { calibration, drawnCandles, features, measuring, networks } from './sections-method.ts';
import { abstract, dataSection, predictability } from './sections-opening.ts';
import { limits, misses, references, reproduction, results } from './sections-results.ts';
import { networksTable } from './tables.ts';

export const PAPER_TITLE = 'How far, not which way: bands for the next fifty minutes';
/** Edition of the text; figures carry the versions of the models. */
const EDITION = 'Second edition, 26 Nov 2026';

const CONTENTS = [
  ['possible', 'What can be forecast'],
  ['data', 'Data'],
  ['networks', 'Networks'],
  ['measuring', 'Method'],
  ['results', 'Results'],
  ['misses', 'Missed targets'],
  ['limits', 'Limits'],
  ['again', 'Reproducing the results'],
  ['references', 'References'],
] as const;

/** @param fonts  fonts of the first paint, preloaded because they are otherwise found only after the style sheet */
export function paperDocument(data: PaperData, fonts: readonly string[] = []): string {
  const sections: Content[] = [
    abstract(data),
    predictability(data),
    dataSection(data),
    html`<div class="sections">${features(data)}${networks()}</div>`,
    networksTable(data),
    html`<div class="sections">${calibration(data)}${drawnCandles(data)}</div>`,
    measuring(data),
    results(data),
    misses(data),
    html`<div class="sections">${limits(data)}${reproduction(data)}</div>`,
    references(),
  ];
  const page = html`<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${PAPER_TITLE}</title>
<meta name="description" content="Kat’s research paper: method, data, results with intervals, missed targets and limits of three one-minute forecasting networks.">
<meta name="color-scheme" content="dark light">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${OWN_PAPER_PATH}paper.css">
${fonts.map((path) => html`<link rel="preload" as="font" type="font/woff2" href="${path}" crossorigin>\n`)}<script src="/theme.js"></script>
<script src="${OWN_PAPER_PATH}paper.js" defer></script>
</head>
<body>
<main>
<article class="paper">
<header>
<p class="kind">Kat research paper</p>
<h1>${PAPER_TITLE}</h1>
<p class="edition">${EDITION}. Models: ${data.models.map(({ modelVersion }) => modelVersion).join(', ')}.</p>
<nav aria-label="Contents"><ul>${CONTENTS.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
${sections}
<footer><p>${RESEARCH_ONLY}</p></footer>
</article>
</main>
</body>
</html>
`;
  return page.text;
}
