/** The real services, unless a JSON file (ADDRESSES_FILE) names others; only differences need to be in it. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Refuse } from './setting-values.ts';

const complete = (byDefault: string) => z._default(z.url({ protocol: /^https?$/ }), byDefault);
const base = (protocol: RegExp, byDefault: string) =>
  z._default(z.pipe(z.url({ protocol }), z.transform(withoutSlash)), byDefault);
const web = (byDefault: string) => base(/^https?$/, byDefault);
const rest = (restUrl: string) => z.prefault(z.strictObject({ restUrl: web(restUrl) }), {});
const restAndSocket = (restUrl: string, wsUrl: string) =>
  z.prefault(z.strictObject({ restUrl: web(restUrl), wsUrl: base(/^wss?$/, wsUrl) }), {});

/** Base addresses without a trailing slash, except where a comment says that an address is complete. */
const addressesSchema = z.strictObject({
  binance: restAndSocket('https://fapi.binance.com', 'wss://fstream.binance.com'),
  bybit: restAndSocket('https://api.bybit.com', 'wss://stream.bybit.com'),
  okx: restAndSocket('https://www.okx.com', 'wss://ws.okx.com:8443'),
  coinbase: restAndSocket('https://api.exchange.coinbase.com', 'wss://ws-feed.exchange.coinbase.com'),
  kraken: rest('https://api.kraken.com'),
  alpaca: restAndSocket('https://data.alpaca.markets', 'wss://stream.data.alpaca.markets'),
  databento: rest('https://hist.databento.com'),
  coingecko: rest('https://api.coingecko.com'),
  coinmarketcap: rest('https://pro-api.coinmarketcap.com'),
  fearGreed: rest('https://api.alternative.me'),
  /** Complete: this week's calendar as JSON. */
  calendarUrl: complete('https://nfs.faireconomy.media/ff_calendar_thisweek.json'),
  youtubeUrl: web('https://www.googleapis.com'),
  discordUrl: web('https://discord.com'),
  patreonUrl: web('https://www.patreon.com'),
  /** Complete, because sign-in tokens must name it to the letter. */
  googleIssuer: complete('https://accounts.google.com'),
  /** Sign-in pages and the token call. */
  githubUrl: web('https://github.com'),
  githubApiUrl: web('https://api.github.com'),
  /** Complete. hCaptcha's is https://api.hcaptcha.com/siteverify. */
  captchaVerifyUrl: complete('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  stripeUrl: z.optional(z.url({ protocol: /^https?$/ })),
});

export type Addresses = z.output<typeof addressesSchema>;
/** What a file, or code in its place, may give; unknown names are refused. */
export type AddressOverrides = z.input<typeof addressesSchema>;

/** Services of market data. The sandbox market has one of each. */
export type FeedAddresses = Pick<
  Addresses,
  | ('binance' | 'bybit' | 'okx' | 'coinbase' | 'kraken' | 'alpaca' | 'databento')
  | ('coingecko' | 'coinmarketcap' | 'fearGreed' | 'calendarUrl')
>;

/** @param overrides  win over the file */
export function readAddresses(file: string | null, overrides: object, refuse: Refuse): Addresses {
  const all = merge(file === null ? {} : contentOf(file, refuse), overrides);
  const parsed = addressesSchema.safeParse(all);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `  ${[...issue.path, key].join('.')} is unknown`)
      : [`  ${issue.path.join('.')} is not a valid address for this service`],
  );
  return refuse(`These addresses are not valid (${file ?? 'ADDRESSES_FILE'}):\n${lines.join('\n')}`);
}

function contentOf(file: string, refuse: Refuse): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    return refuse(`ADDRESSES_FILE names a file that ${reason}: ${file}`);
  }
  return isRecord(content) ? content : refuse(`ADDRESSES_FILE names a file that contains no JSON object: ${file}`);
}

function merge(before: Record<string, unknown>, after: object): Record<string, unknown> {
  const joined = Object.entries(after).map(([name, value]: [string, unknown]) => {
    const known = before[name];
    return [name, isRecord(known) && isRecord(value) ? { ...known, ...value } : value];
  });
  return { ...before, ...Object.fromEntries(joined) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
