import * as z from 'zod/mini';
import type { Addresses } from './addresses.ts';
import { type Refuse, readPair } from './setting-values.ts';

const optionalUrl = z.optional(z.url());
const optionalText = z.optional(z.string().check(z.minLength(1)));
const MAIL_FROM = /^(?:[^\p{C}<>]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u;

export const ACCOUNT_FIELDS = {
  EMAIL_CONFIRMATION: z._default(z.enum(['optional', 'required']), 'optional'),
  /** Who deletes an account: its owner on the site, or only the operator, by command. */
  ACCOUNT_DELETION: z._default(z.enum(['owner', 'operator']), 'owner'),
  /** Comma-separated addresses; each allows itself and everything under it. */
  REDIRECT_ALLOW_LIST: z.optional(z.string()),
  ALLOWED_ORIGINS: z.optional(z.string()),
  TRUSTED_PROXIES: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(10)), 0),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, hostname: /./ })),
  /** One line: an address, or a name followed by an address in angle brackets. */
  MAIL_FROM: z._default(z.string().check(z.maxLength(320), z.regex(MAIL_FROM)), 'Kat <no-reply@localhost>'),
  /** `<client id>:<secret>`, as of the other providers. */
  GOOGLE_CLIENT: optionalText,
  GITHUB_CLIENT: optionalText,
  SAML_PROVIDERS_FILE: optionalText,
  CAPTCHA_SECRET: optionalText,
  /** `s3://KEY:SECRET@bucket?region=eu-central-1`, or with https and a host for another store than Amazon's. */
  S3_URL: optionalText,
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
  endpoint: string | null;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface AccountConfig {
  accounts: {
    isConfirmationRequired: boolean;
    deletionBy: 'owner' | 'operator';
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

export function toAccountConfig(e: Fields, services: Addresses, refuse: Refuse): AccountConfig {
  return {
    accounts: {
      isConfirmationRequired: e.EMAIL_CONFIRMATION === 'required',
      // A hosted project stores passwords and files, which this server can't check and remove.
      deletionBy: e.SUPABASE_URL === undefined ? e.ACCOUNT_DELETION : 'operator',
      redirectAllowList: addresses(e.REDIRECT_ALLOW_LIST, 'REDIRECT_ALLOW_LIST', refuse),
      google:
        e.GOOGLE_CLIENT === undefined
          ? null
          : { ...clientOf(e.GOOGLE_CLIENT, 'GOOGLE_CLIENT', refuse), issuer: services.googleIssuer },
      github:
        e.GITHUB_CLIENT === undefined
          ? null
          : {
              ...clientOf(e.GITHUB_CLIENT, 'GITHUB_CLIENT', refuse),
              url: services.githubUrl,
              apiUrl: services.githubApiUrl,
            },
      samlProvidersFile: e.SAML_PROVIDERS_FILE ?? null,
      captcha:
        e.CAPTCHA_SECRET === undefined ? null : { secret: e.CAPTCHA_SECRET, verifyUrl: services.captchaVerifyUrl },
    },
    allowedOrigins: addresses(e.ALLOWED_ORIGINS, 'ALLOWED_ORIGINS', refuse).map((address) => new URL(address).origin),
    trustedProxies: e.TRUSTED_PROXIES,
    mail: { smtpUrl: e.SMTP_URL ?? null, from: e.MAIL_FROM },
    s3: e.S3_URL === undefined ? null : bucketOf(e.S3_URL, refuse),
    hosted: projectOf(e, refuse),
  };
}

function clientOf(text: string, name: string, refuse: Refuse): { clientId: string; clientSecret: string } {
  const [clientId, clientSecret] = readPair(text, name, refuse);
  return { clientId, clientSecret };
}

function bucketOf(text: string, refuse: Refuse): S3Settings {
  const url = URL.parse(text);
  const isAmazon = url?.protocol === 's3:';
  const [, path = '', bucket = ''] =
    /^(.*)\/([^/]+)\/?$/.exec(isAmazon ? `/${url.hostname}` : (url?.pathname ?? '')) ?? [];
  const keys = [url?.username ?? '', url?.password ?? ''].map(decode);
  const [accessKeyId, secretAccessKey] = keys;
  if (url === null || !/^(s3|https?):$/.test(url.protocol) || bucket === '' || !accessKeyId || !secretAccessKey)
    return refuse(WRONG_BUCKET);
  return {
    endpoint: isAmazon ? null : `${url.protocol}//${url.host}${path}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket,
    accessKeyId,
    secretAccessKey,
  };
}

const WRONG_BUCKET =
  'S3_URL must look like s3://KEY:SECRET@bucket?region=us-east-1, or https://KEY:SECRET@store.example/bucket for a store other than Amazon S3, with key and secret percent-encoded.';

/** Empty where a per cent sign starts no escape sequence. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function projectOf({ SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey }: Fields, refuse: Refuse): AccountConfig['hosted'] {
  if (url === undefined && anonKey === undefined) return null;
  if (url === undefined || anonKey === undefined)
    return refuse(
      `SUPABASE_URL and SUPABASE_ANON_KEY must be set together; ${url === undefined ? 'SUPABASE_URL' : 'SUPABASE_ANON_KEY'} is missing.`,
    );
  return { url: url.replace(/\/+$/, ''), anonKey };
}

function addresses(list: string | undefined, name: string, refuse: Refuse): string[] {
  const entries = (list ?? '').split(',').map((one) => one.trim());
  return entries
    .filter((one) => one !== '')
    .map((one) => {
      const url = URL.parse(one);
      if (url === null || !/^https?:$/.test(url.protocol))
        return refuse(`${name} must be a comma-separated list of URLs such as https://example.org.`);
      return url.href;
    });
}
