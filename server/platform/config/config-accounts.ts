/** The environment settings of accounts, mail, stored files and a hosted Supabase project. */
import * as z from 'zod/mini';

const optionalUrl = z.optional(z.url());
const optionalText = z.optional(z.string().check(z.minLength(1)));
const MAIL_FROM = /^(?:[^\p{C}<>]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u;

export const ACCOUNT_FIELDS = {
  EMAIL_CONFIRMATION: z._default(z.enum(['optional', 'required']), 'optional'),
  /** Comma-separated addresses; each allows itself and everything under it. */
  REDIRECT_ALLOW_LIST: z.optional(z.string()),
  /** Comma-separated origins. */
  ALLOWED_ORIGINS: z.optional(z.string()),
  TRUSTED_PROXIES: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(10)), 0),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, hostname: /./ })),
  /** One line: an address, or a name followed by an address in angle brackets. */
  MAIL_FROM: z._default(z.string().check(z.maxLength(320), z.regex(MAIL_FROM)), 'Kat <no-reply@localhost>'),
  GOOGLE_CLIENT_ID: optionalText,
  GOOGLE_CLIENT_SECRET: optionalText,
  GOOGLE_ISSUER: z._default(z.url(), 'https://accounts.google.com'),
  GITHUB_CLIENT_ID: optionalText,
  GITHUB_CLIENT_SECRET: optionalText,
  GITHUB_URL: z._default(z.url(), 'https://github.com'),
  GITHUB_API_URL: z._default(z.url(), 'https://api.github.com'),
  SAML_PROVIDERS_FILE: optionalText,
  CAPTCHA_SECRET: optionalText,
  CAPTCHA_VERIFY_URL: z._default(z.url(), 'https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  S3_ENDPOINT: optionalUrl,
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_BUCKET: optionalText,
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  SUPABASE_URL: optionalUrl,
  SUPABASE_ANON_KEY: optionalText,
};

export interface GoogleSettings {
  clientId: string;
  clientSecret: string;
  issuer: string;
}

export interface GitHubSettings {
  clientId: string;
  clientSecret: string;
  /** Base address of the sign-in pages and the token call. */
  url: string;
  apiUrl: string;
}

export interface S3Settings {
  /** Null for the provider's own endpoint. */
  endpoint: string | null;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface AccountConfig {
  accounts: {
    isConfirmationRequired: boolean;
    redirectAllowList: readonly string[];
    google: GoogleSettings | null;
    github: GitHubSettings | null;
    samlProvidersFile: string | null;
    captcha: { secret: string; verifyUrl: string } | null;
  };
  /** Other origins that browsers may call from. */
  allowedOrigins: readonly string[];
  /** How many of our proxies are in front of the server and add to X-Forwarded-For. */
  trustedProxies: number;
  mail: { smtpUrl: string | null; from: string };
  /** Null to store files in the data folder. */
  s3: S3Settings | null;
  /** A Supabase project that serves /auth/v1, /rest/v1 and /storage/v1 instead of this server. */
  hosted: { url: string; anonKey: string } | null;
}

type Fields = z.infer<z.ZodMiniObject<typeof ACCOUNT_FIELDS>>;

/** @param refuse  called with a message when settings that belong together are incomplete or invalid */
export function toAccountConfig(e: Fields, refuse: (sentence: string) => never): AccountConfig {
  const together = (...names: (keyof Fields & string)[]): boolean => {
    const missing = names.filter((name) => e[name] === undefined);
    if (missing.length === names.length) return false;
    if (missing.length > 0) refuse(`${names.join(', ')} belong together; ${missing.join(', ')} is missing.`);
    return true;
  };
  const text = (value: string | undefined) => value ?? '';
  return {
    accounts: {
      isConfirmationRequired: e.EMAIL_CONFIRMATION === 'required',
      redirectAllowList: addresses(e.REDIRECT_ALLOW_LIST, 'REDIRECT_ALLOW_LIST', refuse),
      google: together('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET')
        ? {
            clientId: text(e.GOOGLE_CLIENT_ID),
            clientSecret: text(e.GOOGLE_CLIENT_SECRET),
            issuer: e.GOOGLE_ISSUER,
          }
        : null,
      github: together('GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET')
        ? {
            clientId: text(e.GITHUB_CLIENT_ID),
            clientSecret: text(e.GITHUB_CLIENT_SECRET),
            url: withoutSlash(e.GITHUB_URL),
            apiUrl: withoutSlash(e.GITHUB_API_URL),
          }
        : null,
      samlProvidersFile: e.SAML_PROVIDERS_FILE ?? null,
      captcha: e.CAPTCHA_SECRET === undefined ? null : { secret: e.CAPTCHA_SECRET, verifyUrl: e.CAPTCHA_VERIFY_URL },
    },
    allowedOrigins: addresses(e.ALLOWED_ORIGINS, 'ALLOWED_ORIGINS', refuse).map((address) => new URL(address).origin),
    trustedProxies: e.TRUSTED_PROXIES,
    mail: { smtpUrl: e.SMTP_URL ?? null, from: e.MAIL_FROM },
    s3: together('S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
      ? {
          endpoint: e.S3_ENDPOINT ?? null,
          region: e.S3_REGION,
          bucket: text(e.S3_BUCKET),
          accessKeyId: text(e.S3_ACCESS_KEY_ID),
          secretAccessKey: text(e.S3_SECRET_ACCESS_KEY),
        }
      : null,
    hosted: together('SUPABASE_URL', 'SUPABASE_ANON_KEY')
      ? { url: withoutSlash(text(e.SUPABASE_URL)), anonKey: text(e.SUPABASE_ANON_KEY) }
      : null,
  };
}

function addresses(list: string | undefined, name: string, refuse: (sentence: string) => never): string[] {
  const given = (list ?? '').split(',').map((one) => one.trim());
  return given
    .filter((one) => one !== '')
    .map((one) => {
      const url = URL.parse(one);
      if (url === null || !/^https?:$/.test(url.protocol))
        return refuse(`${name} must hold addresses like https://example.org, apart by commas.`);
      return url.href;
    });
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
