/** Finds secrets in the settings that anyone could guess; production does not start with them. */
import type { AccountConfig } from './config-accounts.ts';
import type { PaymentsConfig } from './config-payments.ts';
import { weaknessOf } from './weak-secrets.ts';

/** Providers issue long secrets, so a short one was invented by hand. */
const MIN_CLIENT_SECRET = 16;
/** For passwords, which people choose. */
const MIN_PASSWORD = 8;

/** @returns one message for each weak secret, without the secret itself */
export function weakSecretsIn(
  config: AccountConfig & { databaseUrl: string | null; payments: PaymentsConfig },
): string[] {
  const { captcha, google, github } = config.accounts;
  const { keys } = config.payments;
  const webhookSecrets = keys?.webhookSecrets ?? [];
  const given: readonly (readonly [string, string | null | undefined, number])[] = [
    ['GOOGLE_CLIENT_SECRET', google?.clientSecret, MIN_CLIENT_SECRET],
    ['GITHUB_CLIENT_SECRET', github?.clientSecret, MIN_CLIENT_SECRET],
    ['CAPTCHA_SECRET', captcha?.secret, MIN_CLIENT_SECRET],
    ['S3_SECRET_ACCESS_KEY', config.s3?.secretAccessKey, MIN_CLIENT_SECRET],
    ['STRIPE_SECRET_KEY', withoutPrefix(keys?.secretKey), MIN_CLIENT_SECRET],
    ...webhookSecrets.map((one) => ['STRIPE_WEBHOOK_SECRET', withoutPrefix(one), MIN_CLIENT_SECRET] as const),
    ['The password in DATABASE_URL', passwordIn(config.databaseUrl), MIN_PASSWORD],
    ['The password in SMTP_URL', passwordIn(config.mail.smtpUrl), MIN_PASSWORD],
  ];
  const weak = given.flatMap(([name, secret, minLength]) => {
    if (secret === null || secret === undefined) return [];
    const weakness = weaknessOf(secret, minLength);
    return weakness === null ? [] : [`${name} ${weakness}.`];
  });
  return isDemoKey(config.hosted?.anonKey) ? [...weak, 'SUPABASE_ANON_KEY is the key of a demonstration.'] : weak;
}

/** Strips the provider's prefixes from a secret, such as sk_live_ or whsec_. */
function withoutPrefix(key: string | undefined): string | undefined {
  return key?.replace(/^(?:[a-z]+_)+(?=.)/, '');
}

/** Null for an address without a password: the login is proven another way. */
function passwordIn(address: string | null): string | null {
  const password = address === null ? '' : (URL.parse(address)?.password ?? '');
  if (password === '') return null;
  try {
    return decodeURIComponent(password);
  } catch {
    // A stray per cent sign means that the password is not encoded.
    return password;
  }
}

/** Detects the keys of a self-hosted project's template, whose secret is published beside them. */
function isDemoKey(key: string | undefined): boolean {
  const payload = Buffer.from(key?.split('.')[1] ?? '', 'base64url').toString('utf8');
  return payload.includes('"supabase-demo"');
}
