/** The payment provider of this start: the real one by its keys, our sandbox, or none. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '#domain/time/clock.ts';
import {
  PAYMENT_PAGES_PATH,
  type PaymentsSource,
  WEBHOOK_PATH,
} from '../../server/billing/provider/payments-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { isLocalOnly } from '../../server/platform/config/unsafe-settings.ts';

/** What the sandbox must know of the running server. */
export interface ServerAddress {
  /** As browsers see it. */
  url: string;
  port: number;
}

export interface Payments {
  /** Null: payments are off. */
  source: PaymentsSource | null;
  line: string;
  close(): Promise<void>;
}

const keysSchema = z.object({ secretKey: z.string(), webhookSecret: z.string() });

/** @param address  of the server; null until it listens  @throws Error if the sandbox's stored state is damaged */
export async function openPayments(
  config: Config,
  deps: { clock: Clock; address(): ServerAddress | null; log(line: string): void },
): Promise<Payments> {
  const { choice, keys } = config.payments;
  const none = (why: string): Payments => ({ source: null, line: `off (${why})`, close: async () => undefined });
  if (choice === 'off') return none('PAYMENTS=off');
  if (choice === 'auto' && keys !== null) {
    const source = { ...keys, pagesUrl: null };
    const what = keys.mode === 'live' ? 'live' : 'the provider’s test mode (no real money)';
    return { source, line: what, close: async () => undefined };
  }
  if (choice === 'auto' && !config.isProduction && !isLocalOnly(config))
    return none('other machines can reach the server, and STRIPE_SECRET_KEY is not set');
  if (choice === 'auto' && config.hosted !== null)
    return none('the hosted project has real accounts, and STRIPE_SECRET_KEY is not set');
  return sandboxPayments(config, deps);
}

async function sandboxPayments(
  config: Config,
  { clock, address, log }: { clock: Clock; address(): ServerAddress | null; log(line: string): void },
): Promise<Payments> {
  const { startSandboxPayments } = await import('../../sandbox/payments/sandbox-payments.ts');
  const keys = ownKeys(join(config.dataDir, 'payments-keys.json'));
  const sandbox = await startSandboxPayments({
    clock,
    journalPath: join(config.dataDir, 'payments.jsonl'),
    controlPath: join(config.dataDir, 'payments-control.json'),
    secretKey: keys.secretKey,
    pagesPath: PAYMENT_PAGES_PATH,
    origin: () => address()?.url ?? config.publicUrl ?? `http://127.0.0.1:${config.port}`,
    priceIds: config.payments.priceIds,
    webhooks: { target: () => webhookUrl(config, address()), secret: keys.webhookSecret },
    log,
  });
  const api = { protocol: 'http', host: '127.0.0.1', port: sandbox.port } as const;
  const pagesUrl = `http://127.0.0.1:${sandbox.port}${PAYMENT_PAGES_PATH}`;
  return {
    source: { mode: 'sandbox', secretKey: keys.secretKey, webhookSecrets: [keys.webhookSecret], api, pagesUrl },
    line: 'sandbox (no real money)',
    close: () => sandbox.close(),
  };
}

/** In production the server answers only under PUBLIC_URL. */
function webhookUrl(config: Config, address: ServerAddress | null): string | null {
  if (address === null) return null;
  if (config.isProduction && config.publicUrl !== null) return `${config.publicUrl}${WEBHOOK_PATH}`;
  return `${localUrl(config, address.port)}${WEBHOOK_PATH}`;
}

/** Where a local program reaches a server that listens on `config.host`. */
export function localUrl({ host }: Pick<Config, 'host'>, port: number): string {
  const isEvery = ['0.0.0.0', '::', '*', '', 'localhost'].includes(host);
  return `http://${isEvery ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Created once per data folder. */
function ownKeys(path: string): z.infer<typeof keysSchema> {
  try {
    return keysSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Missing, or cut off by a power loss: nothing outside this folder uses them.
    const secret = () => randomBytes(24).toString('hex');
    const keys = { secretKey: `sk_test_${secret()}`, webhookSecret: `whsec_${secret()}` };
    // With an external database nothing else may have created the folder yet.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(keys), { mode: 0o600 });
    return keys;
  }
}
