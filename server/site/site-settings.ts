/** GET /site.json, the QR codes of donation addresses and the simulator's pictures, from SITE_FILE or the samples. */

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Context, Hono } from 'hono';
import QRCode from 'qrcode';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { siteFileSchema, siteSettingsOf } from '#domain/site/site-file.ts';
import type { Donation, SiteSettings } from '#domain/site/site-settings.ts';
import { SettingsRefused } from '../platform/config/config.ts';
import { answerRoute } from '../platform/http/calls/contract-route.ts';
import { readSitePictures, type SitePicture } from './site-pictures.ts';

/** Texts change with a restart; an open page may show the old ones for this long. */
const CACHING = 'public, max-age=300';
const MAX_FILE_CHARACTERS = 100_000;
/** Without a locale the library's small build reports 'Invalid input' for everything. */
const ENGLISH = z.locales.en().localeError;

export interface Site {
  settings: SiteSettings;
  /** By their paths on our origin. */
  pictures: ReadonlyMap<string, SitePicture>;
}

/** @param path a JSON file with any subset; null: samples. @throws SettingsRefused naming everything wrong */
export async function readSite(path: string | null): Promise<Site> {
  if (path === null) return { settings: siteSettingsOf({}), pictures: new Map() };
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new SettingsRefused(`SITE_FILE cannot be read: ${path} (${reason}).`);
  }
  if (text.length > MAX_FILE_CHARACTERS)
    throw new SettingsRefused(`SITE_FILE (${path}) is longer than ${MAX_FILE_CHARACTERS} characters.`);
  // Some editors start a file with a byte order mark.
  const json = parsedJson(text.replace(/^\uFEFF/, ''));
  if (json === undefined) throw new SettingsRefused(`SITE_FILE isn't JSON: ${path}`);
  const parsed = siteFileSchema.safeParse(json, { error: ENGLISH });
  if (parsed.success)
    return { settings: siteSettingsOf(parsed.data), pictures: await readSitePictures(path, parsed.data) };
  const lines = parsed.error.issues.map(({ path: at, message }) => `  ${at.join('.') || 'the file'}: ${message}`);
  throw new SettingsRefused(`SITE_FILE (${path}) is not valid:\n${lines.join('\n')}`);
}

export async function siteSettingsRoutes({ settings, pictures: own }: Site): Promise<Hono> {
  const json = prepare(JSON.stringify(settings), 'application/json');
  const pictures = new Map([...own].map(([path, { bytes, type }]) => [path, prepare(bytes, type)]));
  for (const donation of settings.donations) {
    const style = { margin: 2, color: { dark: '#000000', light: donation.bg } };
    const svg = await QRCode.toString(payloadOf(donation), { type: 'svg', errorCorrectionLevel: 'M', ...style });
    pictures.set(donation.qr, prepare(svg, 'image/svg+xml'));
  }

  const app = new Hono();
  answerRoute(app, '/site.json', (c) => answer(c, json));
  for (const path of ['/donations/{file}', '/simulator-pictures/{place}'] as const)
    answerRoute(app, path, (c) => {
      const picture = pictures.get(c.req.path);
      if (picture === undefined) throw new AppError('request/not-found');
      return answer(c, picture);
    });
  return app;
}

/** Wallets that support the destination tag fill it in; without a tag, every wallet reads a plain address. */
function payloadOf({ ticker, address, memo }: Donation): string {
  const isTag = ticker === 'XRP' && memo !== undefined && /^\d+$/.test(memo);
  return isTag ? `ripple:${address}?dt=${memo}` : address;
}

interface Prepared {
  body: string | Uint8Array<ArrayBuffer>;
  type: string;
  eTag: string;
}

function prepare(body: string | Uint8Array<ArrayBuffer>, type: string): Prepared {
  return { body, type, eTag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` };
}

function answer(c: Context, { body, type, eTag }: Prepared): Response {
  const headers = { 'cache-control': CACHING, etag: eTag };
  const tags = (c.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes(eTag) || tags.includes('*')) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, 'content-type': type });
}
