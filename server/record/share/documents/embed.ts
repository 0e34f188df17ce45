/** A forecast in another site's page: a document without scripts, cookies or requests. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { forecastPath } from '#domain/share/forecast-id.ts';
import {
  forecastTitle,
  forecastVerdict,
  issuedText,
  MARKET_NOTICES,
  releasesSentence,
} from '#domain/share/forecast-verdict.ts';
import type { ForecastContent, ForecastView } from '#domain/share/forecast-view.ts';
import { SITE_NAME } from '#domain/site/page-head.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { chartHtml, EMBED_DRAWINGS, keyHtml } from './chart.ts';
import { documentHtml } from './document.ts';
import { sealedHtml } from './sealed.ts';

export const EMBED_SIZE = { width: 640, height: 480 } as const;

/** @param src  absolute address of the embed */
export function embedCode(
  src: string,
  title: string,
  { width, height }: { width: number; height: number } = EMBED_SIZE,
): string {
  return `<iframe src="${escapeHtml(src)}" width="${width}" height="${height}" title="${escapeHtml(title)}" loading="lazy" style="border:0;max-width:100%" referrerpolicy="no-referrer"></iframe>`;
}

const RENEW_S = 60;

export function forecastEmbed(view: ForecastView, { origin, style }: { origin: string; style: string }): string {
  const market = MARKET_NOTICES[view.market];
  const isRenewed = view.state !== 'known' && view.state !== 'void';
  const releases = releasesSentence(view);
  const target = view.id === null ? origin : origin + forecastPath(view.id);
  return documentHtml({
    title: `${forecastTitle(view)} – ${SITE_NAME}`,
    head: `<meta name="robots" content="noindex">${isRenewed ? `<meta http-equiv="refresh" content="${RENEW_S}">` : ''}`,
    style,
    body: [
      `<div class="line"><h1>${escapeHtml(forecastTitle(view))}</h1>${market === null ? '' : `<p class="market">${market}</p>`}</div>`,
      `<p class="verdict">${escapeHtml(forecastVerdict(view))}</p>`,
      releases === null ? '' : `<p class="small">${escapeHtml(releases)}</p>`,
      view.content === null ? sealedHtml(view) : chartHtml(view, view.content, EMBED_DRAWINGS) + embedKey(view.content),
      `<p class="small line"><span>${escapeHtml(issuedText(view))}. ${RESEARCH_ONLY}</span><a href="${escapeHtml(target)}" target="_blank" rel="noopener">${view.id === null ? SITE_NAME : 'Open its page'}</a></p>`,
    ].join(''),
  });
}

/** A frame has little room, and the sentence above the chart says what is released. */
function embedKey(content: ForecastContent): string {
  return keyHtml({ ...content, releases: undefined });
}
