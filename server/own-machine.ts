/**
 * Refuses strangers the routes that are only for this machine's users, even behind an unconfigured proxy: a plain nginx
 * sends `Host: 127.0.0.1`, so that their requests look local.
 */
import { networkInterfaces } from 'node:os';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { authErrorResponse, validationFailed } from './backend/auth/auth-error.ts';
import { PAYMENT_PAGES_PATH } from './billing/provider/payments-source.ts';
import type { Config } from './platform/config/config.ts';
import { isLocalOnly } from './platform/config/unsafe-settings.ts';
import { isLoopbackAddress } from './platform/http/guards/forwarded-address.ts';
import type { Logger } from './platform/telemetry/log.ts';

export interface OwnMachineDeps {
  config: Config;
  log: Logger;
  /** Providers marked 'sandbox' are simulated. */
  providers: PublicConfig['providers'];
}

const WARNING =
  'A proxy forwards requests to this server, but the server is set up for this machine only: they get no /dev pages, no sandbox ' +
  'sign-in and no payment sandbox. Set TRUSTED_PROXIES to the number of proxies in front, and PUBLIC_URL.';

/** For strangers the provider does not exist. */
const NOT_ENABLED = validationFailed('Unsupported provider: provider is not enabled');

/** Mount it before the routes it guards. Guards nothing if users of other machines are expected. */
export function ownMachineOnly({ config, log, providers }: OwnMachineDeps): Hono {
  const app = new Hono();
  if (!isLocalOnly(config)) return app;
  const isSandbox = (name: string) => name in providers && providers[name as keyof typeof providers] === 'sandbox';
  let hasWarned = false;
  const isOwn = (c: Context): boolean => {
    const isForwarded = hasForwardingHeader(c.req.raw.headers);
    if (!isForwarded && isOwnAddress(c)) return true;
    if (!hasWarned) log.warn({ path: c.req.path, isForwarded }, WARNING);
    hasWarned = true;
    return false;
  };
  for (const path of ['/dev/*', `${PAYMENT_PAGES_PATH}/*`]) {
    app.use(path, (c, next) => {
      if (!isOwn(c)) throw new AppError('request/not-found');
      return next();
    });
  }
  for (const path of ['/auth/v1/authorize', '/auth/v1/user/identities/authorize']) {
    app.use(path, async (c, next) => {
      const isSandboxRequested = (c.req.queries('provider') ?? []).some(isSandbox);
      if (isSandboxRequested && !isOwn(c)) return authErrorResponse(NOT_ENABLED);
      return next();
    });
  }
  return app;
}

function hasForwardingHeader(headers: Headers): boolean {
  return [...headers.keys()].some(
    (name) => ['forwarded', 'via', 'x-real-ip'].includes(name) || name.startsWith('x-forwarded-'),
  );
}

function isOwnAddress(c: Context): boolean {
  // A request made in this process has no socket.
  if (typeof c.env !== 'object' || c.env === null || !('incoming' in c.env)) return true;
  const address = getConnInfo(c).remote.address ?? '';
  const isOfMachine = (one: string) =>
    Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === one));
  return isLoopbackAddress(address) || isOfMachine(address.replace(/^::ffff:/i, ''));
}
