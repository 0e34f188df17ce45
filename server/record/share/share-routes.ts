/**
 * Pages, pictures and files of single forecasts, their embeds, and the description that other sites request. A name that
 * leads nowhere is answered in one way, whatever it was: malformed, unknown, private, revoked or of
 * a user banned now.
 */

import { type Context, Hono } from 'hono';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { forecastCsv, forecastJson } from '#domain/share/forecast-files.ts';
import { FORECAST_PAGES, forecastPath } from '#domain/share/forecast-id.ts';
import { PICTURE_SIZES } from '#domain/share/forecast-picture.ts';
import { forecastTitle } from '#domain/share/forecast-verdict.ts';
import type { ForecastView } from '#domain/share/forecast-view.ts';
import { SITE_NAME } from '#domain/site/page-head.ts';
import { readRouteQuery } from '../../platform/http/calls/contract-route.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import type { RateLimit, RateLimiterOf } from '../../platform/http/guards/rate-limit.ts';
import { forEveryone } from '../../platform/http/guards/security-headers.ts';
import { embedPolicy, pagePolicy } from './documents/document.ts';
import { EMBED_SIZE, embedCode, forecastEmbed } from './documents/embed.ts';
import { notFoundEmbed, notFoundPage, unavailableEmbed } from './documents/not-found.ts';
import { forecastPage } from './documents/page.ts';
import type { SiteParts } from './documents/site-parts.ts';
import { answerForm, type DrawnForm, drawnForms, pictureForm, textForm } from './drawn-forms.ts';
import type { ForecastViews } from './forecast-views.ts';
import type { Pictures } from './picture/open-pictures.ts';

export interface ShareRouteDeps {
  views: Pick<ForecastViews, 'find'>;
  latest(signal: AbortSignal): Promise<ForecastView>;
  pictures: Pick<Pictures, 'draw'>;
  origin(request: Request): string;
  site: SiteParts;
  addressOf(c: Context): string;
  limiterOf: RateLimiterOf;
}

const EMBEDS = '/embed/f/';
const EMBED_LATEST = '/embed/latest';
const OEMBED = '/oembed';
const HTML = 'text/html; charset=UTF-8';
/** New pictures; stored ones are free. */
const PICTURES: RateLimit = { points: 60, perS: 60 };

/** Refusals are left to the app: `request/not-found` 404, `request/too-many` 429, `share/no-picture` 503. */
export function shareRoutes(deps: ShareRouteDeps): Hono {
  const { views, site } = deps;
  const forms = drawnForms();
  const limiter = deps.limiterOf(PICTURES, 'forecast-pictures-per-address');
  const fixed = fixedForms(site);
  const app = new Hono();

  app.get(`${FORECAST_PAGES}:file`, async (c) => {
    const { id, ending } = readFile(c.req.param('file'));
    const view = await views.find(id);
    // A number alone leads to the page of that record; the name in links is bound to its hash.
    if (view?.id != null && view.id !== id) return c.redirect(forecastPath(view.id) + ending, 302);
    if (ending === '') return view === null ? notFound(c) : page(c, view, id);
    if (view === null) throw new AppError('request/not-found');
    return answerForm(c, await fileOf(c, { view, id, ending }), { caching: cachingOf(view) });
  });

  app.get(`${EMBEDS}:id`, async (c) => {
    const id = c.req.param('id');
    const view = await views.find(id);
    forEveryone(c);
    c.header('content-security-policy', embedPolicy(site.embedStyle));
    if (view === null) return answerForm(c, await fixed.embed, { caching: 'no-store', status: 404 });
    return answerForm(c, await embedOf(c, view), { caching: cachingOf(view) });
  });

  app.get(EMBED_LATEST, async (c) => {
    forEveryone(c);
    c.header('content-security-policy', embedPolicy(site.embedStyle));
    try {
      const view = await deps.latest(c.req.raw.signal);
      return answerForm(c, await embedOf(c, view), { caching: 'public, max-age=5' });
    } catch (error) {
      if (!isAppError(error)) throw error;
      return answerForm(c, await fixed.unavailable, { caching: 'no-store', status: 503 });
    }
  });

  app.get(OEMBED, async (c) => {
    c.header('access-control-allow-origin', '*');
    const { view, answer } = await oembed(c);
    return c.json(answer, 200, { 'cache-control': view === null ? 'public, max-age=60' : cachingOf(view) });
  });

  for (const path of [`${FORECAST_PAGES}:file`, `${EMBEDS}:id`, EMBED_LATEST, OEMBED])
    app.all(path, onlyMethods('GET', 'HEAD'));

  async function notFound(c: Context): Promise<Response> {
    c.header('content-security-policy', pagePolicy(site.pageStyle));
    return answerForm(c, await fixed.page, { caching: 'no-store', status: 404 });
  }

  async function page(c: Context, view: ForecastView, id: string): Promise<Response> {
    const origin = deps.origin(c.req.raw);
    c.header('content-security-policy', pagePolicy(site.pageStyle));
    const form = await forms.of(view, `page ${origin}`, () =>
      textForm(forecastPage(view, id, { origin, style: site.pageStyle, script: site.script }), HTML),
    );
    return answerForm(c, form, { caching: cachingOf(view) });
  }

  function embedOf(c: Context, view: ForecastView): Promise<DrawnForm> {
    const origin = deps.origin(c.req.raw);
    return forms.of(view, `embed ${origin}`, () =>
      textForm(forecastEmbed(view, { origin, style: site.embedStyle }), HTML),
    );
  }

  async function fileOf(
    c: Context,
    { view, id, ending }: { view: ForecastView; id: string; ending: Ending },
  ): Promise<DrawnForm> {
    if (ending === '.json')
      return forms.of(view, 'json', () => textForm(JSON.stringify(forecastJson(view)), 'application/json'));
    if (ending === '.csv') return forms.of(view, 'csv', () => textForm(forecastCsv(view), 'text/csv; charset=UTF-8'));
    const { shape, theme } = readRouteQuery('/f/{id}.png', new URL(c.req.url).searchParams);
    const address = new URL(deps.origin(c.req.raw)).host + forecastPath(id);
    const name = `${shape} ${theme} ${address}`;
    forEveryone(c);
    return forms.of(view, name, async () => {
      // Who comes first pays; those who wait for the same picture do not.
      await limiter.consume(deps.addressOf(c));
      return pictureForm(await deps.pictures.draw({ view, shape, theme, address }));
    });
  }

  /** `view` is null for the forecast of this minute. */
  async function oembed(c: Context): Promise<{ view: ForecastView | null; answer: object }> {
    const { searchParams } = new URL(c.req.url);
    const [url, format] = [URL.parse(searchParams.get('url') ?? ''), searchParams.get('format') ?? 'json'];
    if (format !== 'json') throw invalidParameter('format', 'invalid');
    const origin = deps.origin(c.req.raw);
    if (url === null || url.origin !== origin) throw invalidParameter('url', 'invalid');
    const size = {
      width: within(searchParams.get('maxwidth'), EMBED_SIZE.width),
      height: within(searchParams.get('maxheight'), EMBED_SIZE.height),
    };
    const isLatest = url.pathname === EMBED_LATEST;
    const id = url.pathname.startsWith(FORECAST_PAGES) ? url.pathname.slice(FORECAST_PAGES.length) : '';
    const view = isLatest ? null : await views.find(id);
    if (view === null && !isLatest) throw new AppError('request/not-found');
    const title = view === null ? 'The forecast of this minute' : forecastTitle(view);
    const src = origin + (view === null ? EMBED_LATEST : EMBEDS + id);
    const picture = { ...PICTURE_SIZES.wide, url: `${origin}${forecastPath(id)}.png` };
    const answer = {
      version: '1.0',
      type: 'rich',
      provider_name: SITE_NAME,
      provider_url: origin,
      title,
      ...size,
      html: embedCode(src, title, size),
      cache_age: 60,
      ...(view !== null && {
        thumbnail_url: picture.url,
        thumbnail_width: picture.width,
        thumbnail_height: picture.height,
      }),
    };
    return { view, answer };
  }

  return app;
}

/** Each is the same bytes for every name. */
function fixedForms({ pageStyle, embedStyle }: SiteParts) {
  return {
    page: textForm(notFoundPage(pageStyle), HTML),
    embed: textForm(notFoundEmbed(embedStyle), HTML),
    unavailable: textForm(unavailableEmbed(embedStyle), HTML),
  };
}

const ENDINGS = ['', '.png', '.json', '.csv'] as const;
type Ending = (typeof ENDINGS)[number];

function readFile(file: string): { id: string; ending: Ending } {
  const ending = ENDINGS.find((one) => one !== '' && file.endsWith(one)) ?? '';
  return { id: file.slice(0, file.length - ending.length), ending };
}

function within(text: string | null, most: number): number {
  const wanted = Number(text ?? most);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, most) : most;
}

/** What its owner can revoke is looked up again each time, and stored in no shared cache. */
function cachingOf({ origin, state }: ForecastView): string {
  if (origin === 'saved') return 'private, no-cache';
  return state === 'known' || state === 'void' ? 'public, max-age=300' : 'public, max-age=5';
}
