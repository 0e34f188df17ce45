/** Middleware around every request, and the order of the handlers; no logic. routes.ts lists the routes. */
import { type Context, Hono } from 'hono';
import type { RouteContract } from '#domain/contract/route-contract.ts';
import { FUNCTION_PATHS, ROUTES } from '#domain/contract/routes.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { DOCS_PATH, findRoute } from '#domain/site/routes.ts';
import { OWN_PAPER_PATH } from '#domain/site/site-settings.ts';
import { isApiPath } from './api-paths.ts';
import { staticFiles } from './platform/http/assets/static-files.ts';
import { patternOf } from './platform/http/calls/contract-route.ts';
import { errorResponse, isOurFault } from './platform/http/calls/http-errors.ts';
import { crossOrigin } from './platform/http/guards/cross-origin.ts';
import { type ScriptFromElsewhere, securityHeaders } from './platform/http/guards/security-headers.ts';
import { slowRefusals } from './platform/http/guards/slow-refusals.ts';
import { HEALTH_CHECKS, requestLog } from './platform/http/request-log.ts';
import type { Logger } from './platform/telemetry/log.ts';
import { requestSteps } from './platform/telemetry/request-steps.ts';

export interface AppParts {
  log: Logger;
  isHttps: boolean;
  siteDir: string;
  /** Shows /dev/ui: only on development machines. */
  hasDesignPage?: boolean;
  /** Other origins whose documents our pages may show in a frame. */
  frameOrigins?: readonly string[];
  /** A third-party script that our pages may run. */
  scriptFromElsewhere?: ScriptFromElsewhere | null;
  /** Origin of the site as the browser sees it; default: the request's own. */
  origin?: (request: Request) => string;
  /** Attribute of the documents' root element: the market, and whether money is real. */
  environment?: string;
  /** False for a foreign host name, which is answered 421. */
  isOwnHost: (host: string) => boolean;
  /** Origins whose pages may call and read the answers. The backend's three APIs check it themselves. */
  allowedOrigins?: readonly string[];
  /** Our own proxies are in front: their trace headers are trusted. */
  hasTrustedProxies?: boolean;
  /** The address that refused calls are counted by; absent or null: they are never delayed. */
  addressOf?: (c: Context) => string | null;
  routes: readonly Hono[];
}

/** Called by pages of allowed origins, in addition to the backend's protocol. */
const CALLED_BY_PAGES = [
  ...Object.entries<RouteContract>(ROUTES).flatMap(([path, { crossOrigin }]) =>
    crossOrigin === 'allowed' && !path.startsWith(FUNCTION_PATHS) ? [patternOf(path)] : [],
  ),
  `${FUNCTION_PATHS}*`,
  '/api/v3/*',
  '/fng',
  '/fng/',
  '/0/public/*',
  '/products/*',
];

export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  const pageOf = (path: string) => findRoute(path)?.path ?? null;
  app.use('*', requestSteps({ pageOf, hasTrustedProxies: parts.hasTrustedProxies ?? false }));
  app.use('*', requestLog(parts.log));
  app.use('*', slowRefusals(parts.addressOf ?? (() => null)));
  const { isHttps, frameOrigins = [], scriptFromElsewhere: elsewhere = null } = parts;
  app.use('*', securityHeaders({ isHttps, frameOrigins, framedPaths: [OWN_PAPER_PATH], elsewhere }));
  app.use('*', (c, next) => {
    // Some hosts make an invalid URL: 'eq.1' looks like an IPv4 address and isn't one.
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
  for (const folder of [OWN_PAPER_PATH, DOCS_PATH])
    app.get(folder.slice(0, -1), (c) => c.redirect(folder + new URL(c.req.url).search, 308));
  app.route('/', staticFiles({ siteDir: parts.siteDir, pageOf, origin, environment: parts.environment }));
  app.notFound(() => errorResponse(new AppError('request/not-found')));
  app.onError((error, c) => {
    // Nothing is logged if the client disconnected: the resulting error is no fault.
    const isWorthALine = isOurFault(error) && !c.req.raw.signal.aborted;
    if (isWorthALine) parts.log.error({ err: error, method: c.req.method, path: c.req.path }, 'request failed');
    return errorResponse(error);
  });
  return app;
}
