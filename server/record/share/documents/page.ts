/** A forecast's page: whole without JavaScript; the script adds replay, verification and copying. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { forecastPath } from '#domain/share/forecast-id.ts';
import { PICTURE_SIZES } from '#domain/share/forecast-picture.ts';
import {
  forecastTitle,
  forecastVerdict,
  issuedText,
  MARKET_NOTICES,
  releasesSentence,
} from '#domain/share/forecast-verdict.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import { SITE_NAME } from '#domain/site/page-head.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { chartHtml, keyHtml, PAGE_DRAWINGS, tableHtml } from './chart.ts';
import { documentHtml, katMark, meta, THEME_SCRIPT } from './document.ts';
import { embedCode } from './embed.ts';
import { sealedHtml } from './sealed.ts';

export interface PageOptions {
  origin: string;
  style: string;
  /** Path of the page's script; null while the site is not built. */
  script: string | null;
}

export function forecastPage(view: ForecastView, id: string, options: PageOptions): string {
  return documentHtml({
    title: `${forecastTitle(view)} – ${SITE_NAME}`,
    head: head(view, id, options),
    style: options.style,
    body: `${top()}<main>${mainHtml(view, id, options)}</main>${foot(options.origin + forecastPath(id))}`,
  });
}

function head(view: ForecastView, id: string, { origin, script }: PageOptions): string {
  const [title, verdict, url] = [forecastTitle(view), forecastVerdict(view), origin + forecastPath(id)];
  const market = MARKET_NOTICES[view.market];
  const said = [market === null ? '' : `${market}.`, verdict, releasesSentence(view) ?? ''];
  const described = said.filter((part) => part !== '').join(' ');
  const picture = `${url}.png`;
  const oembed = `/oembed?url=${encodeURIComponent(url)}`;
  const isRenewed = view.state !== 'known' && view.state !== 'void';
  return [
    meta('name', 'description', described),
    // Shared by a link: thousands of them would say nothing to a search engine.
    meta('name', 'robots', 'noindex'),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    meta('property', 'og:type', 'article'),
    meta('property', 'og:site_name', SITE_NAME),
    meta('property', 'og:title', title),
    meta('property', 'og:description', described),
    meta('property', 'og:url', url),
    meta('property', 'og:image', picture),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', String(PICTURE_SIZES.wide.width)),
    meta('property', 'og:image:height', String(PICTURE_SIZES.wide.height)),
    meta('property', 'og:image:alt', `${title}. ${described}`),
    meta('name', 'twitter:card', 'summary_large_image'),
    `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed)}" title="${escapeHtml(title)}">`,
    '<link rel="icon" sizes="32x32" href="/favicon.ico"><link rel="icon" type="image/svg+xml" href="/favicon.svg">',
    script === null ? '' : `<script type="module" src="${script}"></script>`,
    `<script>${THEME_SCRIPT}</script>`,
    isRenewed ? '<noscript><meta http-equiv="refresh" content="60"></noscript>' : '',
  ].join('');
}

function top(): string {
  return `<header class="top"><a class="home" href="/">${katMark(22)}${SITE_NAME}</a><nav aria-label="Site"><a href="/kat">Make a forecast</a><a href="/track-record">Track Record</a></nav></header>`;
}

/** @param url  of the page, shown on paper only */
function foot(url: string): string {
  return `<footer class="foot"><p>${RESEARCH_ONLY}</p><p class="address">${escapeHtml(url)}</p></footer>`;
}

function mainHtml(view: ForecastView, id: string, options: PageOptions): string {
  const market = MARKET_NOTICES[view.market];
  return [
    market === null ? '' : `<p class="market">${market}</p>`,
    `<div class="head"><h1>${escapeHtml(forecastTitle(view))}</h1><p class="muted">${escapeHtml(issuedText(view))}</p></div>`,
    // The script renews this part while the forecast runs.
    `<div class="stack" id="forecast" data-state="${view.state}">`,
    `<p class="verdict">${escapeHtml(forecastVerdict(view))}</p>`,
    releasesHtml(view),
    view.content === null
      ? sealedHtml(view)
      : `<figure class="panel chart">${chartHtml(view, view.content, PAGE_DRAWINGS)}${keyHtml(view.content)}${replayHtml(view)}<details><summary>Every bar as a table</summary>${tableHtml(view, view.content)}</details></figure>`,
    '</div>',
    `<div class="two">${sealHtml(view)}${shareHtml(view, id, options)}</div>`,
  ].join('');
}

function releasesHtml(view: ForecastView): string {
  const sentence = releasesSentence(view);
  return sentence === null ? '' : `<p class="muted">${escapeHtml(sentence)}</p>`;
}

const SPEEDS = [1, 2, 5, 10];

function replayHtml({ content }: ForecastView): string {
  const count = content?.outcome.length ?? 0;
  if (count < 2) return '';
  const speeds = SPEEDS.map(
    (speed) => `<option value="${speed}"${speed === 2 ? ' selected' : ''}>${speed} bars a second</option>`,
  );
  const last = content?.outcome.at(-1)?.bar ?? 0;
  return `<div class="row" id="replay" hidden><button type="button" data-play>Replay</button><input type="range" min="0" max="${last}" value="${last}" aria-label="Bar of the replay"><select aria-label="Speed">${speeds.join('')}</select><span class="figures muted" data-bar>${last} / ${last}</span></div>`;
}

function sealHtml(view: ForecastView): string {
  if (view.seal === null) {
    const who = view.origin === 'saved' ? 'Shared by the user who saved it. It isn’t part of the public record.' : '';
    return `<section class="panel stack"><h2>Not sealed</h2><p class="muted">${who} House forecasts are sealed before their outcome is known: see the <a href="/track-record">track record</a>.</p></section>`;
  }
  const { seq, hash } = view.seal;
  const isOpen = view.state !== 'sealed';
  return `<section class="panel stack" id="seal" data-seq="${seq}" data-hash="${hash}"><h2>Sealed as record ${seq}</h2><p class="muted">The SHA-256 of its text was published when it was issued. ${isOpen ? 'The text must still give this hash.' : 'Store this page to compare the text when it opens.'}</p><p class="hash">${hash}</p><div class="row"><button type="button" data-verify hidden>Verify</button><a class="button" href="/track-record#check-${seq}">Open the full check</a></div><p role="status" data-result class="muted"></p></section>`;
}

function shareHtml(view: ForecastView, id: string, { origin }: PageOptions): string {
  const url = origin + forecastPath(id);
  const file = (path: string, text: string): string =>
    `<a class="button" href="${forecastPath(id)}${path}" download>${text}</a>`;
  return `<section class="panel stack" id="share" data-url="${escapeHtml(url)}" data-title="${escapeHtml(forecastTitle(view))}"><h2>Share</h2><div class="row"><button type="button" class="primary" data-copy hidden>Copy link</button><button type="button" data-share hidden>Share …</button>${file('.png', 'Picture')}${file('.png?shape=square', 'Square picture')}${view.content === null ? '' : file('.csv', 'CSV') + file('.json', 'JSON')}</div><details><summary>Embed it in your page</summary><pre>${escapeHtml(embedCode(`${origin}/embed${forecastPath(id)}`, forecastTitle(view)))}</pre></details></section>`;
}
