import { type Context, Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import type { Core } from '../core.ts';
import { type Caller, callerReader } from '../platform/http/calls/caller.ts';
import { crossOrigin } from '../platform/http/guards/cross-origin.ts';
import type { AccountSettings } from './auth/auth-deps.ts';
import { authRoutes } from './auth/auth-routes.ts';
import type { CaptchaCheck } from './auth/captcha.ts';
import type { SamlProviders } from './auth/extensions/organisations/saml-providers.ts';
import type { SigningKeys } from './auth/keys/keys.ts';
import { hasApiKey, type SessionVerifier } from './auth/keys/token-verifier.ts';
import type { Passwords } from './auth/passwords/passwords.ts';
import type { OAuthProviders } from './auth/providers/oauth-provider.ts';
import { redirectRule } from './auth/redirects.ts';
import { byteBudgets, type Payer } from './byte-budget.ts';
import { clientAddress } from './client-address.ts';
import type { RateLimits } from './limits.ts';
import { cleanReports, countReports, ERROR_REPORTS, type ReportLimits } from './reports.ts';
import type { CatalogueReader } from './rest/catalogue.ts';
import { RestError } from './rest/rest-error.ts';
import { restRoutes } from './rest/rest-routes.ts';
import type { WrittenRows } from './rest/write-body.ts';
import type { ObjectFiles } from './storage/files/object-files.ts';
import { storageRoutes } from './storage/storage-routes.ts';

export interface AccountParts {
  settings: AccountSettings;
  /** Addresses besides our own that a sign-in may redirect to. */
  redirectAllowList: readonly string[];
  captcha: CaptchaCheck | null;
  providers: OAuthProviders;
  saml: SamlProviders | null;
}

export const NO_ACCOUNT_PARTS: AccountParts = {
  settings: { isConfirmationRequired: false },
  redirectAllowList: [],
  captcha: null,
  providers: { google: null, github: null },
  saml: null,
};

export interface BackendDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  keys: SigningKeys;
  /** Shared with all other code that checks sessions, so that a sign-out takes effect everywhere immediately. */
  verifier: SessionVerifier;
  limits: RateLimits;
  passwords: Passwords;
  catalogue: CatalogueReader;
  files: ObjectFiles;
  accounts: AccountParts;
  /** Our own address as browsers know it, without a slash at the end; null if not set. */
  publicUrl: string | null;
  /** Origins besides our own that browsers may call from. */
  allowedOrigins?: readonly string[];
  /** The address that rate limits count; default: the socket's. */
  clientAddress?: (c: Context) => string;
}

export function backendRoutes(deps: BackendDeps): Hono {
  const app = new Hono();
  const addressOf = deps.clientAddress ?? clientAddress;
  const ownOrigin = deps.publicUrl === null ? [] : [new URL(deps.publicUrl).origin];
  const cors = crossOrigin([...ownOrigin, ...(deps.allowedOrigins ?? [])]);
  app.use('/auth/v1/*', cors);
  app.use('/rest/v1/*', cors);
  app.use('/storage/v1/*', cors);
  const budgets = byteBudgets(deps.limits);
  const reports = { limits: deps.limits, reports: budgets.reports };
  app.route(
    '/auth/v1',
    authRoutes({
      ...deps,
      ...deps.accounts,
      redirects: redirectRule(deps.accounts.redirectAllowList),
      originOf: (c) => deps.publicUrl ?? new URL(c.req.url).origin,
      clientAddress: addressOf,
    }),
  );
  app.route(
    '/rest/v1',
    restRoutes({
      ...deps,
      callerOf: (request) => restCaller(request, deps),
      admitInsert: (c, caller, table, rows) => admitInsert(reports, payerOf(caller, addressOf(c)), table, rows),
    }),
  );
  app.route(
    '/storage/v1',
    storageRoutes({ ...deps, budgets, addressOf, callerOf: (request) => liveCaller(request, deps) }),
  );
  return app;
}

/** The service role isn't counted. */
function payerOf(caller: Caller, address: string): Payer | null {
  return caller.role === 'service_role' ? null : { userId: caller.userId, address };
}

async function admitInsert(reports: ReportLimits, payer: Payer | null, table: string, rows: WrittenRows) {
  await countReports(table, { rows: rows.count, bytes: Buffer.byteLength(rows.text) }, payer, reports);
  return table === ERROR_REPORTS ? { ...rows, text: cleanReports(rows.objects, rows.columns) } : rows;
}

/** Refuses a signed-out session on tables immediately, not only once its token has expired. */
async function restCaller(request: Request, deps: BackendDeps): Promise<Caller> {
  if (!(await hasApiKey(request, deps)))
    throw new RestError(401, 'PGRST302', 'No valid API key found in request header apikey', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  return liveCaller(request, deps);
}

/**
 * `aal1` for a session lowered since its token was issued: row-level security checks the second factor in the claims.
 * @throws AppError `auth/bad-token`, `auth/session-ended`
 */
async function liveCaller(request: Request, deps: BackendDeps): Promise<Caller> {
  const caller = await callerReader(deps.verifier).read(request);
  if (caller.sessionId === null) return caller;
  const { isLive, isRaised } = await deps.verifier.sessionStatus(caller.sessionId);
  if (!isLive) throw new AppError('auth/session-ended');
  return isRaised || caller.claims?.aal !== 'aal2' ? caller : { ...caller, claims: { ...caller.claims, aal: 'aal1' } };
}
