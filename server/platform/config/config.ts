/** The environment, read and checked once. .env.example lists the names. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { type AddressOverrides, readAddresses } from './addresses.ts';
import { ACCOUNT_FIELDS, type AccountConfig, toAccountConfig } from './config-accounts.ts';
import { BACKUP_FIELDS, type BackupSettings, toBackupSettings } from './config-backup.ts';
import { COMMUNITY_FIELDS, type CommunityConfig, toCommunityConfig } from './config-community.ts';
import { DEVELOPMENT_FIELDS, type DevelopmentConfig, toDevelopmentConfig } from './config-development.ts';
import { MARKET_FIELDS, type MarketConfig, toMarketConfig } from './config-market.ts';
import { PAYMENT_FIELDS, type PaymentsConfig, toPaymentsConfig } from './config-payments.ts';
import { PROCESS_FIELDS, type ProcessesConfig, toProcessesConfig } from './config-processes.ts';
import { PUSH_FIELDS, type PushSettings, toPushSettings } from './config-push.ts';
import { TELEMETRY_FIELDS, type TelemetryConfig, toTelemetryConfig } from './config-telemetry.ts';
import { OLD_NAMES, withoutOldSettings } from './old-settings.ts';
import { withFileSettings } from './setting-values.ts';
import { weakSecretsIn } from './weak-secrets.ts';

const optionalUrl = z.optional(z.url());

const environmentSchema = z.object({
  NODE_ENV: z.optional(z.string()),
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 3000),
  PUBLIC_URL: optionalUrl,
  DATA_DIR: z._default(z.string(), '.data'),
  /** Folder of a prebuilt site; the server then builds none. */
  SITE_DIR: z.optional(z.string()),
  DATABASE_URL: optionalUrl,
  LOG_LEVEL: z.optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])),
  /** Forecasts for the public record every five minutes, even when no one is viewing. */
  HOUSE_FORECASTS: z._default(z.enum(['on', 'off']), 'on'),
  ALLOW_SANDBOX_IN_PRODUCTION: z.optional(z.enum(['0', '1'])),
  /** A JSON file with the operator's names, links and donation addresses. */
  SITE_FILE: z.optional(z.string()),
  /** A JSON file with other addresses of outside services than the real ones. */
  ADDRESSES_FILE: z.optional(z.string()),
  ...MARKET_FIELDS,
  ...COMMUNITY_FIELDS,
  ...DEVELOPMENT_FIELDS,
  ...ACCOUNT_FIELDS,
  ...PAYMENT_FIELDS,
  ...PROCESS_FIELDS,
  ...PUSH_FIELDS,
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
  processes: ProcessesConfig;
  logLevel: string;
  market: MarketConfig;
  community: CommunityConfig;
  hasHouseForecasts: boolean;
  /** Folder of models that run unseen, for the record only; null for none. */
  shadowModelsDir: string | null;
  payments: PaymentsConfig;
  push: PushSettings;
  telemetry: TelemetryConfig;
  backups: BackupSettings | null;
  siteFile: string | null;
  allowSandboxInProduction: boolean;
  development: DevelopmentConfig;
  /** For the log: settings of earlier releases that are still set, without their values. */
  oldSettings: readonly string[];
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
  const names = [...Object.keys(environmentSchema.shape), ...OLD_NAMES];
  const filled = withFileSettings(env, [...new Set(names)], refuseSettings);
  const given = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined && value !== ''));
  const present = withoutOldSettings(given, refuseSettings);
  const parsed = environmentSchema.safeParse(present.env);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new SettingsRefused(`These settings are not valid:\n${lines.join('\n')}`);
  }
  const e = parsed.data;
  const isProduction = e.NODE_ENV === 'production';
  if (e.SUPABASE_URL !== undefined) requireProject(new URL(e.SUPABASE_URL), e.DATABASE_URL, e.PUBLIC_URL);
  const publicUrl = e.PUBLIC_URL === undefined ? null : originOf(e.PUBLIC_URL);
  const dataDir = resolve(e.DATA_DIR);
  const services = readAddresses(e.ADDRESSES_FILE ?? null, [present.addresses, addresses], refuseSettings);
  const development = toDevelopmentConfig(e.DEVELOPMENT, refuseSettings);
  return {
    isProduction,
    host: e.HOST,
    port: e.PORT,
    publicUrl,
    dataDir,
    siteDir: e.SITE_DIR === undefined ? null : resolve(e.SITE_DIR),
    databaseUrl: e.DATABASE_URL ?? null,
    processes: toProcessesConfig(e, { hasDatabase: e.DATABASE_URL !== undefined }, refuseSettings),
    // Fewer log lines at a terminal, so that the startup messages stay visible.
    logLevel: e.LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
    market: toMarketConfig(e, services, refuseSettings),
    community: toCommunityConfig(e, development.community, services, refuseSettings),
    hasHouseForecasts: e.HOUSE_FORECASTS === 'on',
    shadowModelsDir: shadowsIn(dataDir, given.SHADOW_MODELS_DIR),
    payments: toPaymentsConfig(e, { publicUrl: e.PUBLIC_URL, stripeUrl: services.stripeUrl }, refuseSettings),
    push: toPushSettings(e, { publicUrl, mailFrom: e.MAIL_FROM }, refuseSettings),
    backups: toBackupSettings(e, { dataDir, isHosted: e.SUPABASE_URL !== undefined }, refuseSettings),
    telemetry: toTelemetryConfig(e, isOwnMachine, refuseSettings),
    siteFile: e.SITE_FILE === undefined ? null : resolve(e.SITE_FILE),
    allowSandboxInProduction: e.ALLOW_SANDBOX_IN_PRODUCTION === '1',
    development,
    oldSettings: present.warnings,
    ...toAccountConfig(e, services, refuseSettings),
  };
}

function refuseSettings(sentence: string): never {
  throw new SettingsRefused(sentence);
}

/**
 * The folder of shadow models.
 * @param oldSetting  value of SHADOW_MODELS_DIR, which earlier releases read
 * @returns null without such models
 */
function shadowsIn(dataDir: string, oldSetting: string | undefined): string | null {
  if (oldSetting !== undefined) return resolve(oldSetting);
  const folder = join(dataDir, 'shadow-models');
  return existsSync(folder) ? folder : null;
}

function originOf(text: string): string {
  const url = new URL(text);
  const isOrigin = /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw new SettingsRefused('PUBLIC_URL must be an address like https://example.org, without a path.');
  return url.origin;
}

/**
 * Refuses settings that are unsafe in production or on a server that others can reach, before anything is opened.
 * @throws SettingsRefused
 */
export function refuseUnsafeProduction(config: Config, options: { isDemo: boolean }): void {
  const refuse = (sentence: string): never => {
    throw new SettingsRefused(sentence);
  };
  for (const name of switchesOf(config.development))
    if (!config.isProduction && !isLocalOnly(config))
      refuse(
        `DEVELOPMENT=${name} is refused where others than this machine reach the server (PUBLIC_URL, HOST, TRUSTED_PROXIES).`,
      );
  if (config.payments.choice === 'sandbox' && !config.allowSandboxInProduction && !isLocalOnly(config))
    refuse(
      'PAYMENTS=sandbox gives plans away where others than this machine come. Set ALLOW_SANDBOX_IN_PRODUCTION=1 to allow it.',
    );
  if (!config.isProduction) return;
  if (options.isDemo) refuse('Demo accounts are refused in production.');
  for (const name of switchesOf(config.development)) refuse(`DEVELOPMENT=${name} is refused in production.`);
  if (config.publicUrl === null)
    refuse('Production needs PUBLIC_URL, the address that browsers use: https://example.org');
  else if (!isSafeAddress(new URL(config.publicUrl)))
    refuse('PUBLIC_URL must begin with https:// in production; http:// is for localhost alone.');
  if (config.hosted !== null && !isSafeAddress(new URL(config.hosted.url)))
    refuse('SUPABASE_URL must begin with https:// in production; http:// is for localhost alone.');
  if (config.market.choice === 'sandbox' && !config.allowSandboxInProduction)
    refuse('MARKET=sandbox is refused in production. Set ALLOW_SANDBOX_IN_PRODUCTION=1 to allow it.');
  if (config.community.choice === 'sandbox' && !config.allowSandboxInProduction)
    refuse('DEVELOPMENT=community=sandbox is refused in production. Set ALLOW_SANDBOX_IN_PRODUCTION=1 to allow it.');
  if (config.mail.smtpUrl === null && !config.allowSandboxInProduction)
    refuse(
      'Production needs SMTP_URL, the server that sends mails: smtps://user:password@host. With ALLOW_SANDBOX_IN_PRODUCTION=1 none is sent.',
    );
  if (config.payments.choice === 'auto' && config.payments.keys === null && !config.allowSandboxInProduction)
    refuse(
      'Production needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, the keys of the payment provider; with PAYMENTS=off nothing is sold. ALLOW_SANDBOX_IN_PRODUCTION=1 allows play money.',
    );
  const weak = weakSecretsIn(config);
  if (weak.length > 0) refuse(`Production refuses secrets that can be guessed:\n  ${weak.join('\n  ')}`);
}

/** Switches that anyone who reaches the server could use. */
function switchesOf({ hasTestClock, hasFaultControl }: DevelopmentConfig): string[] {
  return [...(hasTestClock ? ['clock'] : []), ...(hasFaultControl ? ['faults'] : [])];
}

/** The project and this server write the same rows, so both need the same database. @throws SettingsRefused */
function requireProject(url: URL, databaseUrl: string | undefined, publicUrl: string | undefined): void {
  const isAddress = /^https?:$/.test(url.protocol) && `${url.origin}${url.pathname}` === url.href;
  if (!isAddress) throw new SettingsRefused('SUPABASE_URL must be an address like https://project.supabase.co.');
  if (databaseUrl === undefined)
    throw new SettingsRefused("SUPABASE_URL needs DATABASE_URL too, the address of that project's own database.");
  if (publicUrl !== undefined && new URL(publicUrl).origin === url.origin)
    throw new SettingsRefused(
      'SUPABASE_URL is the project behind this site; PUBLIC_URL is the site. They cannot be the same.',
    );
}

/** Demo accounts need our own auth service's tables, and pay with a test card. @throws SettingsRefused */
export function refuseUnsafeDemo(config: Config): void {
  if (config.payments.choice === 'auto' && config.payments.keys?.mode === 'live')
    throw new SettingsRefused('Demo accounts are refused where real money is taken (a live STRIPE_SECRET_KEY).');
  if (config.hosted !== null)
    throw new SettingsRefused('Demo accounts are made in our own database alone, not in the project at SUPABASE_URL.');
}

function isSafeAddress(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

/**
 * True where only this machine's users can connect. Only such a server may show everyone's mail or sign in as any user.
 */
export function isLocalOnly(config: Pick<Config, 'isProduction' | 'publicUrl' | 'host' | 'trustedProxies'>): boolean {
  const { isProduction, publicUrl, host, trustedProxies } = config;
  if (isProduction || trustedProxies > 0) return false;
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)) return false;
  return isOwnMachine(host);
}

/** @param host  as a setting gives it. @returns whether only this machine can reach a listener there */
function isOwnMachine(host: string): boolean {
  return host === '::1' || isLoopback(host.toLowerCase());
}

/** @param hostname  as URL gives it: lower case, IPv6 in brackets */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
