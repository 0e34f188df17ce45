/** Secrets that anyone could guess: too short, a pattern, or published. Production does not start with them. */
import type { AccountConfig } from './config-accounts.ts';
import type { PaymentsConfig } from './config-payments.ts';

/** From documentation and templates of software that is often deployed beside a server like this one. */
const PRINTED = new Set(
  [
    'your-super-secret-jwt-token-with-at-least-32-characters-long',
    'super-secret-jwt-token-with-at-least-32-characters-long',
    'this_password_is_insecure_and_should_be_updated',
    'your-super-secret-and-long-postgres-password',
    'wjalrxutnfemi/k7mdeng/bpxrficyexamplekey',
    'akiaiosfodnn7example',
    'minioadmin',
    'minio123',
    // From the payment provider's guides, without its prefix.
    '4ec39hqlyjwdarjtt1zdp7dc',
    // Captcha services accept any response with these.
    '1x0000000000000000000000000000000aa',
    '2x0000000000000000000000000000000aa',
    '3x0000000000000000000000000000000aa',
    '0x0000000000000000000000000000000000000000',
    '6leivcqsaaaaabfdtowlwskclf2qiyopvqzsrtiz',
  ].map((text) => text.toLowerCase()),
);
/** Two words or more after `my-`: a random secret may start like that, but it does not continue with words. */
const PLACEHOLDER =
  /^(<.*>|\[.*\]|\$\{.*\}|(your|my|the)([-_ ][a-z]{2,12}){2,}\d*|change[-_ ]?(me|this).*|example.*|.*example|placeholder.*|todo([-_ :].*)?)$/;
const COMMON =
  /^(password|passw0rd|secret|postgres|supabase|admin|root|test|kat|default|letmein|qwerty|123456)\d{0,4}!?$/;
/** A random secret of 16 characters or more has more distinct characters. */
const MIN_DISTINCT = 6;

/** @returns why a secret is weak; null for a good one */
export function weaknessOf(secret: string, minLength: number): string | null {
  const lower = secret.trim().toLowerCase();
  if (PRINTED.has(lower) || PLACEHOLDER.test(lower) || COMMON.test(lower)) return 'is a well-known example';
  if (secret.length < minLength) return `is shorter than ${minLength} characters`;
  if (new Set(secret).size < Math.min(MIN_DISTINCT, minLength)) return 'repeats a few characters';
  if (isSequence(lower)) return 'is a sequence of characters';
  return null;
}

/** Detects abcdefgh... and 12345678...: most characters follow their neighbour. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    if (Math.abs(step) <= 1) steps += 1;
  }
  return steps > text.length / 2;
}

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
  const secrets: readonly (readonly [string, string | null | undefined, number])[] = [
    ['The secret in GOOGLE_CLIENT', google?.clientSecret, MIN_CLIENT_SECRET],
    ['The secret in GITHUB_CLIENT', github?.clientSecret, MIN_CLIENT_SECRET],
    ['CAPTCHA_SECRET', captcha?.secret, MIN_CLIENT_SECRET],
    ['The secret in S3_URL', config.s3?.secretAccessKey, MIN_CLIENT_SECRET],
    ['STRIPE_SECRET_KEY', withoutPrefix(keys?.secretKey), MIN_CLIENT_SECRET],
    ...webhookSecrets.map((one) => ['STRIPE_WEBHOOK_SECRET', withoutPrefix(one), MIN_CLIENT_SECRET] as const),
    ['The password in DATABASE_URL', passwordIn(config.databaseUrl), MIN_PASSWORD],
    ['The password in SMTP_URL', passwordIn(config.mail.smtpUrl), MIN_PASSWORD],
  ];
  const weak = secrets.flatMap(([name, secret, minLength]) => {
    if (secret === null || secret === undefined) return [];
    const weakness = weaknessOf(secret, minLength);
    return weakness === null ? [] : [`${name} ${weakness}.`];
  });
  return isDemoKey(config.hosted?.anonKey) ? [...weak, 'SUPABASE_ANON_KEY is a demo key.'] : weak;
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
