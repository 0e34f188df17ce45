/** The environment, read and checked once. .env.example lists the names. */
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { isOwnMachine } from '../loopback.ts';
import { type AddressOverrides, readAddresses } from './addresses.ts';
import { ACCOUNT_FIELDS, type AccountConfig, toAccountConfig } from './config-accounts.ts';
import { BACKUP_FIELDS, type BackupSettings, toBackupSettings } from './config-backup.ts';
import {
  CHAT_FIELDS,
  type ChatSettings,
  PUSH_FIELDS,
  type PushSettings,
  toChatSettings,
  toPushSettings,
} from './config-channels.ts';
import { COMMUNITY_FIELDS, type CommunityConfig, toCommunityConfig } from './config-community.ts';
import { DEVELOPMENT_FIELDS, type DevelopmentConfig, toDevelopmentConfig } from './config-development.ts';
import { MARKET_FIELDS, type MarketConfig, toMarketConfig } from './config-market.ts';
import { PAYMENT_FIELDS, type PaymentsConfig, toPaymentsConfig } from './config-payments.ts';
import { PROCESS_FIELDS, type ProcessesConfig, toProcessesConfig } from './config-processes.ts';
import { TELEMETRY_FIELDS, type TelemetryConfig, toTelemetryConfig } from './config-telemetry.ts';
import { withFileSettings } from './setting-values.ts';

const optionalUrl = z.optional(z.url());

const environmentSchema = z.object({
  NODE_ENV: z.optional(z.string()),
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 3000),
  PUBLIC_URL: optionalUrl,
  DATA_DIR: z._default(z.string(), '.data'),
  MODELS_DIR: z.optional(z.string()),
  /** Folder of a prebuilt site; the server then builds none. */
  SITE_DIR: z.optional(z.string()),
  DATABASE_URL: optionalUrl,
  /** The embedded database syncs every acknowledged write to the disk. */
  DURABLE: z.optional(z.enum(['on', 'off'])),
  LOG_LEVEL: z.optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  /** Forecasts for the public record every five minutes, even when no one is viewing. */
  HOUSE_FORECASTS: z._default(z.enum(['on', 'off']), 'on'),
  ALLOW_SANDBOX_IN_PRODUCTION: z.optional(z.enum(['0', '1'])),
  /** A JSON file with the operator's names, links and donation addresses. */
  SITE_FILE: z.optional(z.string()),
  /** A JSON file that replaces the URLs of external services. */
  ADDRESSES_FILE: z.optional(z.string()),
  ...MARKET_FIELDS,
  ...COMMUNITY_FIELDS,
  ...DEVELOPMENT_FIELDS,
  ...ACCOUNT_FIELDS,
  ...PAYMENT_FIELDS,
  ...PROCESS_FIELDS,
  ...PUSH_FIELDS,
  ...CHAT_FIELDS,
  ...TELEMETRY_FIELDS,
  ...BACKUP_FIELDS,
});

export interface Config extends AccountConfig {
  isProduction: boolean;
  host: string;
  port: number;
  /** An origin without a trailing slash. Null for the address that the server listens on. */
  publicUrl: string | null;
  dataDir: string;
  /** Null: the site is built whenever its sources have changed. */
  siteDir: string | null;
  databaseUrl: string | null;
  /** The embedded database keeps acknowledged writes through a power cut. Null: unless it is a demonstration. */
  isDurable: boolean | null;
  processes: ProcessesConfig;
  logLevel: string;
  market: MarketConfig;
  community: CommunityConfig;
  hasHouseForecasts: boolean;
  /** Folder of the models that serve. Null: the ones of this release. */
  modelsDir: string | null;
  /** Folder of models that run unseen, for the record only; it may be missing. */
  shadowModelsDir: string;
  payments: PaymentsConfig;
  push: PushSettings;
  chat: ChatSettings;
  telemetry: TelemetryConfig;
  backups: BackupSettings | null;
  siteFile: string | null;
  allowSandboxInProduction: boolean;
  development: DevelopmentConfig;
}

/** Shown to the operator instead of a stack trace when the server does not start. */
export class SettingsRefused extends Error {
  override readonly name = 'SettingsRefused';
}

/**
 * Each setting may come from a file that `<SETTING>_FILE` names. @param addresses win over ADDRESSES_FILE
 * @throws SettingsRefused naming every invalid setting, one per line
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  addresses: AddressOverrides = {},
): Config {
  const filled = withFileSettings(env, Object.keys(environmentSchema.shape), refuseSettings);
  const set = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new SettingsRefused(`These settings are not valid:\n${lines.join('\n')}`);
  }
  const e = parsed.data;
  const isProduction = e.NODE_ENV === 'production';
  if (e.SUPABASE_URL !== undefined) requireProject(new URL(e.SUPABASE_URL), e.DATABASE_URL, e.PUBLIC_URL);
  const publicUrl = e.PUBLIC_URL === undefined ? null : originOf(e.PUBLIC_URL);
  const dataDir = resolve(e.DATA_DIR);
  const services = readAddresses(e.ADDRESSES_FILE ?? null, addresses, refuseSettings);
  const development = toDevelopmentConfig(e.DEVELOPMENT, refuseSettings);
  return {
    isProduction,
    host: e.HOST,
    port: e.PORT,
    publicUrl,
    dataDir,
    siteDir: e.SITE_DIR === undefined ? null : resolve(e.SITE_DIR),
    databaseUrl: e.DATABASE_URL ?? null,
    isDurable: e.DURABLE === undefined ? null : e.DURABLE === 'on',
    processes: toProcessesConfig(e, { hasDatabase: e.DATABASE_URL !== undefined }, refuseSettings),
    // Fewer log lines at a terminal, so that the startup messages stay visible.
    logLevel: e.LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
    market: toMarketConfig(e, services, refuseSettings),
    community: toCommunityConfig(e, development.community, services, refuseSettings),
    hasHouseForecasts: e.HOUSE_FORECASTS === 'on',
    modelsDir: e.MODELS_DIR === undefined ? null : resolve(e.MODELS_DIR),
    shadowModelsDir: join(dataDir, 'shadow-models'),
    payments: toPaymentsConfig(e, { publicUrl: e.PUBLIC_URL, stripeUrl: services.stripeUrl }, refuseSettings),
    push: toPushSettings(e, { publicUrl, mailFrom: e.MAIL_FROM }, refuseSettings),
    chat: toChatSettings(e),
    backups: toBackupSettings(e, { dataDir, isHosted: e.SUPABASE_URL !== undefined }, refuseSettings),
    telemetry: toTelemetryConfig(e, isOwnMachine, refuseSettings),
    siteFile: e.SITE_FILE === undefined ? null : resolve(e.SITE_FILE),
    allowSandboxInProduction: e.ALLOW_SANDBOX_IN_PRODUCTION === '1',
    development,
    ...toAccountConfig(e, services, refuseSettings),
  };
}

function refuseSettings(message: string): never {
  throw new SettingsRefused(message);
}

function originOf(text: string): string {
  const url = new URL(text);
  const isOrigin = /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw new SettingsRefused('PUBLIC_URL must be a URL such as https://example.org, without a path.');
  return url.origin;
}

/** The project and this server write the same rows, so both need the same database. @throws SettingsRefused */
function requireProject(url: URL, databaseUrl: string | undefined, publicUrl: string | undefined): void {
  const isAddress = /^https?:$/.test(url.protocol) && `${url.origin}${url.pathname}` === url.href;
  if (!isAddress) throw new SettingsRefused('SUPABASE_URL must be a URL such as https://project.supabase.co.');
  if (databaseUrl === undefined)
    throw new SettingsRefused("SUPABASE_URL also needs DATABASE_URL, the address of that project's database.");
  if (publicUrl !== undefined && new URL(publicUrl).origin === url.origin)
    throw new SettingsRefused(
      'SUPABASE_URL is the project behind this site, and PUBLIC_URL is the site itself. They must differ.',
    );
}
