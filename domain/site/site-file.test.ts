import { expect, test } from 'vitest';
import { SAMPLE_SETTINGS } from './sample-settings.ts';
import { siteFileSchema, siteSettingsOf } from './site-file.ts';
import { DONATION_TICKERS, OWN_PAPER_PATH, siteSettingsSchema } from './site-settings.ts';

const ETH = '0x00000000000000000000000000000000000000aa';
const XRP = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

/** What a file's fault is called: its place. */
function faultsOf(file: unknown): string[] {
  const parsed = siteFileSchema.safeParse(file);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
}

test('shows marked samples without a file, in the browser’s format', () => {
  const settings = siteSettingsOf({});

  expect(siteSettingsSchema.parse(settings)).toEqual(SAMPLE_SETTINGS);
  expect(settings.donations.map(({ ticker }) => ticker)).toEqual(DONATION_TICKERS);
  for (const donation of settings.donations) expect(donation.address).toBe('Demo address - do not send');
  for (const quote of settings.testimonials)
    expect([quote.name, quote.role, quote.content].every((text) => text.startsWith('Sample'))).toBe(true);
});

test('replaces the samples of a part that the file has, and keeps the others', () => {
  const file = { donations: [{ ticker: 'ETH', address: ETH }], supportEmail: 'help@example.org' } as const;

  const settings = siteSettingsOf(siteFileSchema.parse(file));

  expect(settings.isSample).toBe(false);
  expect(settings.samples).toEqual({ operator: true, links: true, donations: false, testimonials: true });
  expect(settings.donations).toEqual([
    { name: 'Ethereum', ticker: 'ETH', address: ETH, qr: '/donations/ETH.svg', bg: '#eceffd' },
  ]);
  expect(settings.supportEmail).toBe('help@example.org');
  expect(siteSettingsSchema.safeParse(settings).success).toBe(true);
});

test('names the simulator’s pictures by their place in the list, and has none without a file', () => {
  const simulatorPictures = [
    { file: 'shots/run.png', text: 'A calm run' },
    { file: 'storm.webp', text: 'A storm' },
  ];

  expect(siteSettingsOf({}).simulatorPictures).toEqual([]);
  expect(siteSettingsOf(siteFileSchema.parse({ simulatorPictures })).simulatorPictures).toEqual([
    { url: '/simulator-pictures/1', text: 'A calm run' },
    { url: '/simulator-pictures/2', text: 'A storm' },
  ]);
});

test.each([OWN_PAPER_PATH, 'https://Docs.example:8443/d/1?x=1#p', 'https://xn--mller-kva.example/papier'])(
  'accepts a research document that is %s',
  (researchUrl) => {
    expect(faultsOf({ researchUrl })).toEqual([]);
  },
);

test('links count as samples while one of them leads nowhere', () => {
  const own = 'https://kat.example.org/';
  const names = ['channel', 'chat', 'patrons', 'simulatorPurchase', 'simulatorDownload'];
  const links = Object.fromEntries(names.map((name) => [name, own]));

  expect(siteSettingsOf(siteFileSchema.parse({ links })).samples.links).toBe(true);
  expect(siteSettingsOf(siteFileSchema.parse({ links: { ...links, social: [] } })).samples.links).toBe(false);
});

test.each([
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['SOL', '11111111111111111111111111111111'],
  ['DOGE', 'D7Y55hqsF6WoA1ekBrYzYPNsYyYyYyYyYy'],
  ['LTC', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
  ['XRP', XRP],
])('accepts a %s address of the form %s', (ticker, address) => {
  expect(faultsOf({ donations: [{ ticker, address }] })).toEqual([]);
});

test.each([
  ['no object', [], ''],
  ['an unknown field', { donation: [] }, ''],
  ['an unknown link', { links: { chanel: 'https://example.org' } }, 'links'],
  ['a link without encryption', { links: { chat: 'http://example.org' } }, 'links.chat'],
  ['a link that runs code', { links: { chat: 'javascript:alert(1)' } }, 'links.chat'],
  ['a social link without a label', { links: { social: [{ url: 'https://example.org' }] } }, 'links.social.0.label'],
  ['an invalid support address', { supportEmail: 'help' }, 'supportEmail'],
  ['an empty name', { operatorName: '  ' }, 'operatorName'],
  ['a separate coin', { donations: [{ ticker: 'PEPE', address: ETH }] }, 'donations.0.ticker'],
  ["another coin's address", { donations: [{ ticker: 'BTC', address: ETH }] }, 'donations.0.address'],
  [
    'an address with a letter lost',
    { donations: [{ ticker: 'ETH', address: ETH.slice(0, -1) }] },
    'donations.0.address',
  ],
  [
    'a sample passed on',
    { donations: [{ ticker: 'BTC', address: 'Demo address - do not send' }] },
    'donations.0.address',
  ],
  ['a dark ground', { donations: [{ ticker: 'ETH', address: ETH, bg: '#101010' }] }, 'donations.0.bg'],
  ['a tag for Ethereum', { donations: [{ ticker: 'ETH', address: ETH, memo: '1' }] }, 'donations.0.memo'],
  ['a tag too large', { donations: [{ ticker: 'XRP', address: XRP, memo: '4294967296' }] }, 'donations.0.memo'],
  [
    'the same coin twice',
    {
      donations: [
        { ticker: 'ETH', address: ETH },
        { ticker: 'ETH', address: ETH },
      ],
    },
    'donations',
  ],
  ['a rating of six', { testimonials: [{ name: 'a', role: 'b', content: 'c', rating: 6 }] }, 'testimonials.0.rating'],
  [
    'a picture outside its folder',
    { simulatorPictures: [{ file: '../run.png', text: 'A run' }] },
    'simulatorPictures.0.file',
  ],
  [
    'a picture by its whole path',
    { simulatorPictures: [{ file: '/srv/run.png', text: 'A run' }] },
    'simulatorPictures.0.file',
  ],
  [
    'a drawing that may hold scripts',
    { simulatorPictures: [{ file: 'run.svg', text: 'A run' }] },
    'simulatorPictures.0.file',
  ],
  ['a picture without a caption', { simulatorPictures: [{ file: 'run.png' }] }, 'simulatorPictures.0.text'],
  ['a frame of another page of ours', { researchUrl: '/kat' }, 'researchUrl'],
  ['a frame at a host in another alphabet', { researchUrl: 'https://müller.example/' }, 'researchUrl'],
  ['a frame at an invalid port', { researchUrl: 'https://docs.example:99999/' }, 'researchUrl'],
  ['a frame at an IPv6 address', { researchUrl: 'https://[2001:db8::1]/' }, 'researchUrl'],
  ['a frame at a host with an underscore', { researchUrl: 'https://a_b.example/' }, 'researchUrl'],
  ['a frame at every host', { researchUrl: 'https://*.example/' }, 'researchUrl'],
  ['a frame with a password', { researchUrl: 'https://ada:secret@docs.example/' }, 'researchUrl'],
  ['a frame without encryption', { researchUrl: 'http://docs.example/' }, 'researchUrl'],
  [
    'a player that no header can name',
    { modelsVideo: { kind: 'embed', url: 'https://a_b.example/' } },
    'modelsVideo.url',
  ],
  ['a frame at a host without protocol', { researchUrl: '//evil.example/' }, 'researchUrl'],
  [
    'a film of another site as a file',
    { modelsVideo: { kind: 'file', url: 'https://a.example/b.mp4' } },
    'modelsVideo.url',
  ],
])('rejects a file with %s at its place', (_what, file, place) => {
  expect(faultsOf(file)).toEqual([place]);
});
