import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteFile, siteSettingsOf } from '#domain/site/site-file.ts';
import { siteSettingsSchema } from '#domain/site/site-settings.ts';
import { SettingsRefused } from '../platform/config/config.ts';
import { readSite, type Site, siteSettingsRoutes } from './site-settings.ts';

const siteOf = (file: SiteFile): Site => ({ settings: siteSettingsOf(file), pictures: new Map() });

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-site-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'site.json');
  await writeFile(path, text);
  return path;
}

describe('SITE_FILE', () => {
  test('keeps the samples without a file or with an empty one', async () => {
    expect((await readSite(null)).settings).toEqual(siteSettingsOf({}));
    expect((await readSite(await fileOf('{}'))).settings).toEqual(siteSettingsOf({}));
  });

  test('replaces only the named settings, with or without a byte order mark', async () => {
    const { settings } = await readSite(await fileOf('\uFEFF{"operatorName": "Ada Example"}'));

    expect(settings).toMatchObject({
      isSample: false,
      operatorName: 'Ada Example',
      supportEmail: 'support@example.com',
    });
  });

  test.each([
    ['not JSON', '{', /^SITE_FILE isn't JSON: /],
    ['empty', '', /^SITE_FILE isn't JSON: /],
    ['HTML', '<!doctype html>', /^SITE_FILE isn't JSON: /],
    ['a list', '[]', /^SITE_FILE \(.*\) is not valid:\n {2}the file: /],
    [
      'wrong in two places',
      '{"supportEmail":"x","links":{"chat":"http://a.example"}}',
      /\n {2}supportEmail: .+\n {2}links\.chat: must be/,
    ],
    ['misspelt', '{"donationz":[]}', /\n {2}the file: .*donationz/],
    ['misspelt further in', '{"links":{"chanel":"https://a.example"}}', /\n {2}links: .*chanel/],
    ['too long in a text', `{"operatorName":"${'a'.repeat(301)}"}`, /\n {2}operatorName: .*300 characters/],
    ['empty in a text', '{"operatorName":" "}', /\n {2}operatorName: .*1 characters/],
    ['of another type', '{"operatorName":7}', /\n {2}operatorName: .*string/],
    ['without a part', '{"links":{"social":[{"url":"https://a.example"}]}}', /\n {2}links\.social\.0\.label: .*string/],
    ['of a separate coin', '{"donations":[{"ticker":"PEPE","address":"x"}]}', /\n {2}donations\.0\.ticker: .*BTC/],
    ['far too long', `{"operatorName":"${'a'.repeat(100_000)}"}`, /is longer than/],
  ])('refuses a file that is %s, and says where', async (_what, text, message) => {
    const reading = readSite(await fileOf(text));

    await expect(reading).rejects.toThrow(SettingsRefused);
    await expect(reading).rejects.toThrow(message);
  });

  test('refuses a missing file and a folder', async () => {
    await expect(readSite(join(folder, 'none.json'))).rejects.toThrow(/SITE_FILE cannot be read: .*\(ENOENT\)/);
    await expect(readSite(folder)).rejects.toThrow(/\(EISDIR\)/);
  });
});

describe('pictures of the simulator', () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
  const listing = (file: string) => JSON.stringify({ simulatorPictures: [{ file, text: 'A calm run' }] });

  test('are served from files beside the settings, by their content’s type', async () => {
    await writeFile(join(folder, 'run.jpg'), PNG);
    const site = await readSite(await fileOf(listing('run.jpg')));

    const picture = await (await siteSettingsRoutes(site)).request(site.settings.simulatorPictures[0]?.url ?? '');

    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG);
  });

  test.each([
    ['that is missing', 'none.png', null, /simulatorPictures\.0\.file .*ENOENT/],
    ['that is a page', 'page.png', Buffer.from('<!doctype html>'), /is not a PNG, JPEG or WebP picture/],
    ['that is too large', 'large.png', Buffer.alloc(2 * 1024 * 1024 + 1), /is larger than 2097152 bytes/],
  ])('stop the start by a file %s', async (_what, name, content, message) => {
    if (content !== null) await writeFile(join(folder, name), content);

    const reading = readSite(await fileOf(listing(name)));

    await expect(reading).rejects.toThrow(SettingsRefused);
    await expect(reading).rejects.toThrow(message);
  });
});

describe('the site settings routes', () => {
  let app: Hono;
  beforeAll(async () => {
    app = await siteSettingsRoutes(siteOf({}));
  });

  test('serves a valid /site.json, cached for five minutes and revalidated by its tag', async () => {
    const first = await app.request('/site.json');

    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(siteSettingsSchema.safeParse(await first.json()).success).toBe(true);
    const again = await app.request('/site.json', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test.each(['BTC', 'ETH', 'SOL', 'DOGE', 'LTC', 'XRP'])(
    'serves /donations/%s.svg as a picture without script',
    async (ticker) => {
      const picture = await app.request(`/donations/${ticker}.svg`);

      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      const svg = await picture.text();
      expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
      expect(svg).not.toMatch(/script|style|href/i);
    },
  );

  test.each(['PEPE.svg', 'BTC.png', 'btc.svg', 'BTC', '..%2Fsite.json'])('serves no /donations/%s', async (file) => {
    const app404 = await siteSettingsRoutes(siteOf({}));
    app404.onError((_error, c) => c.text('', 404));

    expect((await app404.request(`/donations/${file}`)).status).toBe(404);
  });

  test("includes an operator's tag in XRP's picture, and has no picture for omitted coins", async () => {
    const pictureOf = async (memo?: string) => {
      const xrp = { ticker: 'XRP', address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', ...(memo && { memo }) } as const;
      const routes = await siteSettingsRoutes(siteOf({ donations: [xrp] }));
      routes.onError((_error, c) => c.text('', 404));
      expect((await routes.request('/donations/BTC.svg')).status).toBe(404);
      return (await routes.request('/donations/XRP.svg')).text();
    };

    const [plain, one, other] = [await pictureOf(), await pictureOf('1'), await pictureOf('2')];

    expect(new Set([plain, one, other]).size).toBe(3);
  });
});
