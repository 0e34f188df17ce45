/** What wraps every request, and the order of what answers it; no logic. The routes themselves are listed in routes.ts. */
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { findRoute } from '#domain/site/routes.ts';
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { isApiPath } from './api-paths.ts';
import { staticFiles } from './platform/http/assets/static-files.ts';
import { errorResponse, isOurFault } from './platform/http/calls/http-errors.ts';
import { crossOrigin } from './platform/http/guards/cross-origin.ts';
import { type ScriptFromElsewhere, securityHeaders } from './platform/http/guards/security-headers.ts';
import type { Logger } from './platform/telemetry/log.ts';
import { HEALTH_CHECKS, requestLog } from './platform/telemetry/request-log.ts';
import { requestSteps } from './platform/telemetry/request-steps.ts';

export interface AppParts {
  log: Logger;
  isHttps: boolean;
  siteDir: string;
  /** Shows /dev/ui: development machines alone. */
  hasDesignPage?: boolean;
  /** Origins elsewhere whose documents our pages may show in a frame. */
  frameOrigins?: readonly string[];
  /** A script that pages of ours may run and that is not ours. */
  scriptFromElsewhere?: ScriptFromElsewhere | null;
  /** Origin of the site as the browser sees it; default: the request's own. */
  origin?: (request: Request) => string;
  /** False for a host name that is none of ours: it is answered 421. */
  isOwnHost: (host: string) => boolean;
  /** Whose pages may call and read the answers: see crossOrigin. The three of the backend's protocol ask for themselves. */
  allowedOrigins?: readonly string[];
  /** Proxies of our own stand in front: what they say of traces is believed. */
  hasTrustedProxies?: boolean;
  /** Every capability's routes, already made with what they need. */
  routes: readonly Hono[];
}

/** Called by pages, besides the backend's protocol. */
const CALLED_BY_PAGES = [
  '/functions/v1/*',
  '/history',
  '/api/v3/*',
  '/fng',
  '/fng/',
  '/0/public/*',
  '/products/*',
  '/config.json',
  '/models.json',
  '/site.json',
  '/stream-kat2',
  '/forecast/*',
];

export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  const pageOf = (path: string) => findRoute(path)?.path ?? null;
  app.use('*', requestSteps({ pageOf, hasTrustedProxies: parts.hasTrustedProxies ?? false }));
  app.use('*', requestLog(parts.log));
  const { isHttps, frameOrigins = [], scriptFromElsewhere: elsewhere = null } = parts;
  app.use('*', securityHeaders({ isHttps, frameOrigins, framedPaths: [OWN_PAPER_PATH], elsewhere }));
  app.use('*', (c, next) => {
    // A host may be written so that it makes no address at all: 'eq.1' would be an IPv4 address and is none.
    const url = URL.parse(c.req.url);
    if (!HEALTH_CHECKS.has(c.req.path) && (url === null || !parts.isOwnHost(url.host)))
      throw new AppError('request/wrong-host');
    return next();
  });
  const cors = crossOrigin(parts.allowedOrigins ?? []);
  for (const path of CALLED_BY_PAGES) app.use(path, cors);
  for (const routes of parts.routes) app.route('/', routes);
  app.use('*', (c, next) => {
    const isDesignPage = parts.hasDesignPage === true && c.req.path === '/dev/ui';
    if (isApiPath(c.req.path) && !isDesignPage) throw new AppError('request/not-found');
    return next();
  });
  const origin = parts.origin ?? ((request) => new URL(request.url).origin);
  // Without its slash it would be served too, as a page that may not be framed.
  app.get(OWN_PAPER_PATH.slice(0, -1), (c) => c.redirect(OWN_PAPER_PATH + new URL(c.req.url).search, 308));
  app.route('/', staticFiles({ siteDir: parts.siteDir, pageOf, origin }));
  app.notFound(() => errorResponse(new AppError('request/not-found')));
  app.onError((error, c) => {
    // Of a caller who left nothing is told: what broke off then is no fault.
    const isWorthALine = isOurFault(error) && !c.req.raw.signal.aborted;
    if (isWorthALine) parts.log.error({ err: error, method: c.req.method, path: c.req.path }, 'request failed');
    return errorResponse(error);
  });
  return app;
}
