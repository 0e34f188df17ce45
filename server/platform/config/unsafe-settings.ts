/** Settings that are each valid, but unsafe together or where this server runs. */
import { isLoopback, isOwnMachine } from '../loopback.ts';
import { type Config, SettingsRefused } from './config.ts';
import type { DevelopmentConfig } from './config-development.ts';
import { weakSecretsIn } from './weak-secrets.ts';

/**
 * Refuses settings that are unsafe in production or on a server that others can reach, before anything is opened.
 * @throws SettingsRefused
 */
export function refuseUnsafeProduction(config: Config, options: { isDemo: boolean }): void {
  const refuse = (message: string): never => {
    throw new SettingsRefused(message);
  };
  for (const name of switchesOf(config.development))
    if (!config.isProduction && !isLocalOnly(config))
      refuse(
        `DEVELOPMENT=${name} is refused when other machines can reach the server (PUBLIC_URL, HOST, TRUSTED_PROXIES).`,
      );
  if (config.payments.choice === 'sandbox' && !config.allowSandboxInProduction && !isLocalOnly(config))
    refuse(
      'PAYMENTS=sandbox would give plans away for free, because other machines can reach the server. Set ALLOW_SANDBOX_IN_PRODUCTION=1 to allow it.',
    );
  if (!config.isProduction) return;
  if (options.isDemo) refuse('Demo accounts are refused in production.');
  for (const name of switchesOf(config.development)) refuse(`DEVELOPMENT=${name} is refused in production.`);
  if (config.publicUrl === null)
    refuse('Production needs PUBLIC_URL, the address that browsers use: https://example.org');
  else if (!isSafeAddress(new URL(config.publicUrl)))
    refuse('PUBLIC_URL must begin with https:// in production; http:// is allowed only for localhost.');
  if (config.hosted !== null && !isSafeAddress(new URL(config.hosted.url)))
    refuse('SUPABASE_URL must begin with https:// in production; http:// is allowed only for localhost.');
  if (config.market.choice === 'sandbox' && !config.allowSandboxInProduction)
    refuse('MARKET=sandbox is refused in production. Set ALLOW_SANDBOX_IN_PRODUCTION=1 to allow it.');
  if (config.community.choice === 'sandbox' && !config.allowSandboxInProduction)
    refuse('DEVELOPMENT=community=sandbox is refused in production. Set ALLOW_SANDBOX_IN_PRODUCTION=1 to allow it.');
  if (config.mail.smtpUrl === null && !config.allowSandboxInProduction)
    refuse(
      'Production needs SMTP_URL, the server that sends emails: smtps://user:password@host. With ALLOW_SANDBOX_IN_PRODUCTION=1, no emails are sent.',
    );
  if (config.payments.choice === 'auto' && config.payments.keys === null && !config.allowSandboxInProduction)
    refuse(
      'Production needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, the keys of the payment provider. Set PAYMENTS=off to sell nothing, or ALLOW_SANDBOX_IN_PRODUCTION=1 to use play money.',
    );
  const weak = weakSecretsIn(config);
  if (weak.length > 0) refuse(`Production refuses secrets that are easy to guess:\n  ${weak.join('\n  ')}`);
}

/** Switches that anyone who reaches the server could use, or that leave it without protection. */
function switchesOf({ hasTestClock, hasFaultControl, isPatient, hasMarketDays }: DevelopmentConfig): string[] {
  const switches = { clock: hasTestClock, faults: hasFaultControl, patient: isPatient, 'market-days': hasMarketDays };
  return Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [name] : []));
}

/** Demo accounts need our own auth service's tables, and pay with a test card. @throws SettingsRefused */
export function refuseUnsafeDemo(config: Config): void {
  if (config.payments.choice === 'auto' && config.payments.keys?.mode === 'live')
    throw new SettingsRefused('Demo accounts are refused on a site that takes real money (a live STRIPE_SECRET_KEY).');
  if (config.hosted !== null)
    throw new SettingsRefused(
      'Demo accounts work only with the server’s own database, not with the project at SUPABASE_URL.',
    );
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
