import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import { isPublicAddress } from '../outbound/public-address.ts';
import type { Addresses } from './addresses.ts';
import { type Refuse, readEntries, readPair } from './setting-values.ts';

/** Default feeds, with the names that their publishers use. */
const DEFAULT_NEWS_FEEDS = [
  'CoinDesk=https://www.coindesk.com/arc/outboundfeeds/rss/',
  'Cointelegraph=https://cointelegraph.com/rss',
  'Decrypt=https://decrypt.co/feed',
  'The Block=https://www.theblock.co/rss.xml',
  'Bitcoin Magazine=https://bitcoinmagazine.com/feed',
].join(' | ');

export const COMMUNITY_FIELDS = {
  /** `Name=address`, separated by |. Articles of a feed removed from the list are deleted. */
  NEWS_FEEDS: z._default(z.string(), DEFAULT_NEWS_FEEDS),
  /** `youtube=<channel id>:<API key>,discord=<code of a lasting invitation>,patreon=<token>`; all optional. */
  COMMUNITY_COUNTERS: z.optional(z.string()),
};

export interface NewsFeedAddress {
  /** Shown as the article's site. */
  name: string;
  url: string;
}

/** Base addresses without a trailing slash; feed addresses are complete. The sandbox has one of each. */
export interface CommunityAddresses {
  newsFeeds: readonly NewsFeedAddress[];
  youtubeUrl: string;
  discordUrl: string;
  patreonUrl: string;
}

/** Null: the service is not called, and its figure is unknown. */
export interface CommunityKeys {
  youtube: { key: string; channelId: string } | null;
  discordInvite: string | null;
  patreonToken: string | null;
}

export interface CommunityConfig {
  choice: 'auto' | 'live' | 'sandbox';
  addresses: CommunityAddresses;
  keys: CommunityKeys;
}

const fieldsSchema = z.object(COMMUNITY_FIELDS);
export type CommunityFields = z.output<typeof fieldsSchema>;

export function toCommunityConfig(
  e: CommunityFields,
  choice: CommunityConfig['choice'],
  { youtubeUrl, discordUrl, patreonUrl }: Addresses,
  refuse: Refuse,
): CommunityConfig {
  const entries = readEntries(e.COMMUNITY_COUNTERS, 'COMMUNITY_COUNTERS', ['youtube', 'discord', 'patreon'], refuse);
  const [channelId = '', key = ''] =
    entries.youtube === undefined ? [] : readPair(entries.youtube, 'COMMUNITY_COUNTERS: youtube', refuse);
  return {
    choice,
    addresses: { newsFeeds: toNewsFeeds(e.NEWS_FEEDS, refuse), youtubeUrl, discordUrl, patreonUrl },
    keys: {
      youtube: entries.youtube === undefined ? null : { key, channelId },
      discordInvite: entries.discord || null,
      patreonToken: entries.patreon || null,
    },
  };
}

/** An empty list is valid: without feeds there is no news. */
function toNewsFeeds(text: string, refuse: Refuse): NewsFeedAddress[] {
  const entries = text
    .split('|')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && entry !== 'none');
  const feeds = entries.map((entry) => {
    const at = entry.indexOf('=');
    const [name, url] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    const address = URL.parse(url);
    if (at <= 0 || name.length > LONGEST_NAME || address?.protocol !== 'https:')
      return refuse(`NEWS_FEEDS: '${entry}' must look like Name=https://site.example/feed.`);
    const fault = nameFault(name) ?? addressFault(url, address);
    // The message omits the entry, so that a password never reaches a log.
    return fault === null ? { name, url } : refuse(`NEWS_FEEDS: ${JSON.stringify(name)} ${fault}.`);
  });
  refuseTwins(feeds, refuse);
  return feeds;
}

const LONGEST_NAME = 60;
/** The limit of the tables. */
const LONGEST_ADDRESS = 2000;

function nameFault(name: string): string | null {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name) ? 'has invisible characters in its name' : null;
}

/** Reports an address that the collector could never fetch at startup, not in every round. */
function addressFault(url: string, address: URL): string | null {
  if (url.length > LONGEST_ADDRESS || address.href.length > LONGEST_ADDRESS)
    return `has a URL of more than ${LONGEST_ADDRESS} characters`;
  if (address.username !== '' || address.password !== '') return 'has a user name or password in its URL';
  const host = address.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isHere = host === 'localhost' || host.endsWith('.localhost');
  if (isHere || (ipaddr.isValid(host) && !isPublicAddress(host)))
    return `is at ${address.hostname}, which isn't a public address`;
  return null;
}

/** A feed is identified by its address and shown by its name. */
function refuseTwins(feeds: readonly NewsFeedAddress[], refuse: Refuse): void {
  const seen = new Set<string>();
  for (const { name, url } of feeds) {
    const href = URL.parse(url)?.href ?? url;
    if (seen.has(href)) refuse(`NEWS_FEEDS: ${name} has a URL that is listed twice.`);
    const shown = `name ${name.normalize('NFC').toLowerCase()}`;
    if (seen.has(shown)) refuse(`NEWS_FEEDS: ${name} is listed twice.`);
    seen.add(href).add(shown);
  }
}
