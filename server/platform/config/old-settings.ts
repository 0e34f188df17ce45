/** For one release old names still work, and the log names the new place; remove this file with the release after. */
import type { Environment, Refuse } from './setting-values.ts';

/** Old name: where it is in ADDRESSES_FILE now. */
const ADDRESSES: Readonly<Record<string, string>> = {
  BINANCE_REST_URL: 'binance.restUrl',
  BINANCE_WS_URL: 'binance.wsUrl',
  BYBIT_REST_URL: 'bybit.restUrl',
  BYBIT_WS_URL: 'bybit.wsUrl',
  OKX_REST_URL: 'okx.restUrl',
  OKX_WS_URL: 'okx.wsUrl',
  COINBASE_REST_URL: 'coinbase.restUrl',
  COINBASE_WS_URL: 'coinbase.wsUrl',
  KRAKEN_REST_URL: 'kraken.restUrl',
  ALPACA_REST_URL: 'alpaca.restUrl',
  ALPACA_WS_URL: 'alpaca.wsUrl',
  DATABENTO_REST_URL: 'databento.restUrl',
  COINGECKO_REST_URL: 'coingecko.restUrl',
  COINMARKETCAP_REST_URL: 'coinmarketcap.restUrl',
  FEAR_GREED_REST_URL: 'fearGreed.restUrl',
  CALENDAR_URL: 'calendarUrl',
  YOUTUBE_REST_URL: 'youtubeUrl',
  DISCORD_REST_URL: 'discordUrl',
  PATREON_REST_URL: 'patreonUrl',
  GOOGLE_ISSUER: 'googleIssuer',
  GITHUB_URL: 'githubUrl',
  GITHUB_API_URL: 'githubApiUrl',
  CAPTCHA_VERIFY_URL: 'captchaVerifyUrl',
  STRIPE_API_URL: 'stripeUrl',
};

type Values = readonly (string | undefined)[];

interface Joined {
  to: string;
  from: readonly string[];
  /** How many of `from`, counted from the first, need each other. */
  together?: number;
  /** @param values  of `from`, in its order @param present  the value of `to`, where that is an older name too */
  write(values: Values, present: string | undefined): string | undefined;
}

const pairOf = ([first, second]: Values) => `${first}:${second}`;
const listOf = (entries: readonly (string | undefined)[]) => entries.filter((entry) => entry !== undefined).join(',');
const entry = (name: string, value: string | undefined) => (value === undefined ? undefined : `${name}=${value}`);
const flag = (name: string, value: string | undefined) => (value === '1' ? name : undefined);

/** Settings that one setting replaces. */
const JOINED: readonly Joined[] = [
  { to: 'GOOGLE_CLIENT', from: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'], together: 2, write: pairOf },
  { to: 'GITHUB_CLIENT', from: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'], together: 2, write: pairOf },
  { to: 'ALPACA_KEY', from: ['ALPACA_KEY_ID', 'ALPACA_SECRET_KEY'], together: 2, write: pairOf },
  { to: 'PUSH_KEYS', from: ['PUSH_PUBLIC_KEY', 'PUSH_PRIVATE_KEY'], together: 2, write: pairOf },
  {
    to: 'S3_URL',
    from: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_REGION', 'S3_ENDPOINT'],
    together: 3,
    write: ([bucket, id = '', secret = '', region = 'us-east-1', endpoint]) => {
      if (bucket === undefined) return undefined;
      const [scheme, host] = endpoint?.replace(/\/+$/, '').split('://') ?? ['s3'];
      const place = host === undefined ? bucket : `${host}/${bucket}`;
      return `${scheme}://${encodeURIComponent(id)}:${encodeURIComponent(secret)}@${place}?region=${region}`;
    },
  },
  {
    to: 'STRIPE_PRICES',
    from: ['PRICE_ID_BOBCAT', 'PRICE_ID_LION'],
    write: ([bobcat, lion]) => listOf([entry('bobcat', bobcat), entry('lion', lion)]),
  },
  {
    to: 'COINGECKO_KEY',
    from: ['COINGECKO_PLAN'],
    write: ([plan], key) => (plan === 'paid' && key !== undefined ? `paid:${key}` : key),
  },
  {
    to: 'NATS_URL',
    from: ['NATS_PREFIX'],
    write: ([prefix], url) => url?.replace(/\/?(?=,|$)/, `/${prefix}`),
  },
  {
    to: 'METRICS_LISTEN',
    from: ['METRICS_PORT', 'METRICS_HOST'],
    write: ([port, host = '127.0.0.1']) => (port === undefined ? undefined : `${host}:${port}`),
  },
  {
    to: 'COMMUNITY_COUNTERS',
    from: ['YOUTUBE_CHANNEL_ID', 'YOUTUBE_API_KEY', 'DISCORD_INVITE', 'PATREON_TOKEN'],
    together: 2,
    write: ([channel, key, invite, token]) =>
      listOf([
        channel === undefined ? undefined : `youtube=${channel}:${key}`,
        entry('discord', invite),
        entry('patreon', token),
      ]),
  },
  {
    to: 'DEVELOPMENT',
    from: ['TEST_CLOCK', 'MARKET_FAULTS', 'MARKET_SPEED', 'MARKET_SEED', 'MARKET_START', 'COMMUNITY'],
    write: ([clock, faults, speed, seed, start, community]) =>
      listOf([
        ...[flag('clock', clock), flag('faults', faults), entry('speed', speed), entry('seed', seed)],
        ...[entry('start', start), entry('community', community === 'auto' ? undefined : community)],
      ]),
  },
];

/** No longer read, and why. */
const REMOVED: Readonly<Record<string, string>> = {
  FORECAST_TIMEOUT_MS: 'the limit is always two seconds',
  PUSH_CONTACT: 'push services write to PUBLIC_URL, or to the address in MAIL_FROM',
  OTEL_METRIC_EXPORT_INTERVAL: 'metrics are sent every minute',
  OTEL_SERVICE_NAME: "the service's name is kat",
  COINBASE_DIALECT: 'order books come from Coinbase Exchange',
  COINBASE_ADVANCED_WS_URL: 'order books come from Coinbase Exchange',
  COINBASE_API_KEY: 'order books come from a channel that needs no key',
  COINBASE_API_SECRET: 'order books come from a channel that needs no key',
  COINBASE_API_PASSPHRASE: 'order books come from a channel that needs no key',
  YAHOO: 'shares come from Alpaca, gold, oil and the dollar index from Databento',
  YAHOO_REST_URL: 'shares come from Alpaca, gold, oil and the dollar index from Databento',
};

/** Settings of earlier releases that `<SETTING>_FILE` may name too. */
export const OLD_NAMES: readonly string[] = [...Object.keys(ADDRESSES), ...JOINED.flatMap(({ from }) => from)];

export interface PresentSettings {
  env: Environment;
  addresses: object;
  /** One sentence for each old name, for the log. Without values. */
  warnings: readonly string[];
}

/** @param env  without empty values */
export function withoutOldSettings(env: Environment, refuse: Refuse): PresentSettings {
  const present: Record<string, string | undefined> = { ...env };
  const addresses: Record<string, string | Record<string, string>> = {};
  const warnings: string[] = [];

  for (const [name, place] of Object.entries(ADDRESSES)) {
    const value = env[name];
    if (value === undefined) continue;
    const [service = '', field] = place.split('.');
    const known = addresses[service];
    addresses[service] = field === undefined ? value : { ...(typeof known === 'object' && known), [field]: value };
    warnings.push(`${name} is an old name: set ${place} in the file that ADDRESSES_FILE names.`);
  }

  for (const { to, from, together = 0, write } of JOINED) {
    const found = from.filter((name) => env[name] !== undefined);
    if (found.length === 0) continue;
    const needed = from.slice(0, together);
    const missing = needed.filter((name) => env[name] === undefined);
    if (missing.length > 0 && missing.length < needed.length)
      refuse(`${needed.join(', ')} must be set together; ${missing.join(', ')} is missing.`);
    // A setting that only took on more is no second one beside its old parts.
    const isOlder = to === 'NATS_URL' || to === 'COINGECKO_KEY';
    if (!isOlder && env[to] !== undefined) refuse(`${found.join(', ')} and ${to} are both set; keep only ${to}.`);
    present[to] = write(
      from.map((name) => env[name]),
      env[to],
    );
    warnings.push(`${found.join(', ')} ${found.length === 1 ? 'is an old name' : 'are old names'}: set ${to} instead.`);
  }

  if (env.SHADOW_MODELS_DIR !== undefined)
    warnings.push('SHADOW_MODELS_DIR is an old name: move the folder to shadow-models in DATA_DIR.');
  for (const [name, why] of Object.entries(REMOVED))
    if (env[name] !== undefined) warnings.push(`${name} is no longer read: ${why}.`);
  const venues = env.VENUE_ORDER?.split(',').filter((name) => name.trim() !== 'yahoo');
  if (venues !== undefined && venues.join(',') !== env.VENUE_ORDER) {
    present.VENUE_ORDER = venues.length === 0 ? undefined : venues.join(',');
    warnings.push(`VENUE_ORDER names yahoo, which is no longer read: ${REMOVED.YAHOO}.`);
  }
  return { env: present, addresses, warnings };
}
