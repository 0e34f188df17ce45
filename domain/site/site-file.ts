/** Any subset of the site settings; the rest stay samples. A wrong donation address would lose money. */
import * as z from 'zod/mini';
import { frameOrigin } from './frame-origins.ts';
import { isSampleLink } from './sample-link.ts';
import { COINS, donationPicture, SAMPLE_SETTINGS, simulatorPicturePath } from './sample-settings.ts';
import {
  DONATION_TICKERS,
  type Donation,
  type DonationTicker,
  OWN_PAPER_PATH,
  type SiteSettings,
  testimonialSchema,
} from './site-settings.ts';

/** Formats of main-network addresses. They catch a wrong coin or a missing letter, but not every typo. */
const ADDRESSES: Readonly<Record<DonationTicker, RegExp>> = {
  BTC: /^(bc1[ac-hj-np-z02-9]{39,59}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  ETH: /^0x[0-9a-fA-F]{40}$/,
  SOL: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  DOGE: /^[DA9][1-9A-HJ-NP-Za-km-z]{25,34}$/,
  LTC: /^(ltc1[ac-hj-np-z02-9]{39,59}|[LM3][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  XRP: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
};
const MAX_TAG = 2 ** 32 - 1;

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(300));
const link = z.url({ protocol: /^https$/, error: 'must be a URL that starts with https://' });
const FRAMED = 'with a host name of a to z, 0 to 9, . and - (others in xn-- form), and without a user name';
/** Of our own pages, only the paper may be framed. */
const document = z
  .string()
  .check(z.refine(isDocument, `must be ${OWN_PAPER_PATH} or a URL that starts with https://, ${FRAMED}`));
const player = z.string().check(z.refine(isFramed, `must be a URL that starts with https://, ${FRAMED}`));

const picture = z
  .string()
  .check(z.refine(isPictureFile, 'must be a PNG, JPEG or WebP file in the folder of SITE_FILE or below'));

const donation = z
  .strictObject({
    ticker: z.enum(DONATION_TICKERS),
    address: z.string(),
    name: z.optional(text),
    bg: z.optional(z.string().check(z.refine(isLightColour, 'must be a light colour such as #fdf3e4'))),
    memo: z.optional(z.string().check(z.refine(isTag, `must be a destination tag: a number up to ${MAX_TAG}`))),
  })
  .check(
    z.refine(({ ticker, address }) => ADDRESSES[ticker].test(address), {
      path: ['address'],
      error: 'does not look like an address of this coin',
    }),
    z.refine(({ ticker, memo }) => memo === undefined || ticker === 'XRP', {
      path: ['memo'],
      error: 'is for XRP only',
    }),
  );

/** Rejects unknown fields, because a misspelt one would silently leave a sample on the page. */
export const siteFileSchema = z.strictObject({
  operatorName: z.optional(text),
  supportEmail: z.optional(z.email()),
  links: z.optional(
    z.strictObject({
      channel: z.optional(link),
      chat: z.optional(link),
      patrons: z.optional(link),
      simulatorPurchase: z.optional(link),
      simulatorDownload: z.optional(link),
      social: z.optional(z.array(z.strictObject({ label: text, url: link })).check(z.maxLength(12))),
    }),
  ),
  donations: z.optional(z.array(donation).check(z.refine(areDistinct, 'lists a coin twice'))),
  testimonials: z.optional(z.array(z.strictObject(testimonialSchema.def.shape)).check(z.maxLength(30))),
  simulatorPictures: z.optional(z.array(z.strictObject({ file: picture, text })).check(z.maxLength(12))),
  researchUrl: z.optional(document),
  modelsVideo: z.optional(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('file'),
        url: z.string().check(z.refine(isOwnPath, 'must be a path on this site')),
      }),
      z.strictObject({ kind: z.literal('embed'), url: player }),
    ]),
  ),
});
export type SiteFile = z.infer<typeof siteFileSchema>;

/** Coins missing from the operator's list are not shown, so that no demo address appears beside a real one. */
export function siteSettingsOf(file: SiteFile): SiteSettings {
  const sample = SAMPLE_SETTINGS;
  const links = withSamples(file.links ?? {});
  const { social, ...single } = links;
  const addresses = [...Object.values(single), ...social.map(({ url }) => url)];
  return {
    isSample: Object.keys(file).length === 0,
    samples: {
      operator: file.operatorName === undefined || file.supportEmail === undefined,
      links: addresses.some(isSampleLink),
      donations: file.donations === undefined,
      testimonials: file.testimonials === undefined,
    },
    operatorName: file.operatorName ?? sample.operatorName,
    supportEmail: file.supportEmail ?? sample.supportEmail,
    links,
    donations: file.donations?.map(toDonation) ?? sample.donations,
    testimonials: file.testimonials ?? sample.testimonials,
    simulatorPictures: (file.simulatorPictures ?? []).map(({ text: caption }, index) => ({
      url: simulatorPicturePath(index),
      text: caption,
    })),
    researchUrl: file.researchUrl ?? sample.researchUrl,
    modelsVideo: file.modelsVideo ?? sample.modelsVideo,
  };
}

function withSamples(fromFile: NonNullable<SiteFile['links']>): SiteSettings['links'] {
  const { links: sample } = SAMPLE_SETTINGS;
  return {
    channel: fromFile.channel ?? sample.channel,
    chat: fromFile.chat ?? sample.chat,
    patrons: fromFile.patrons ?? sample.patrons,
    simulatorPurchase: fromFile.simulatorPurchase ?? sample.simulatorPurchase,
    simulatorDownload: fromFile.simulatorDownload ?? sample.simulatorDownload,
    social: fromFile.social ?? sample.social,
  };
}

function toDonation({ ticker, address, name, bg, memo }: z.infer<typeof donation>): Donation {
  const coin = COINS[ticker];
  const shown = { ticker, address, name: name ?? coin.name, bg: bg ?? coin.bg, qr: donationPicture(ticker) };
  return memo === undefined ? shown : { ...shown, memo };
}

function areDistinct(list: readonly { ticker: string }[]): boolean {
  return new Set(list.map(({ ticker }) => ticker)).size === list.length;
}

function isTag(value: string): boolean {
  return /^\d{1,10}$/.test(value) && Number(value) <= MAX_TAG;
}

function isPictureFile(value: string): boolean {
  return /^[^/\\:][^\\:]*\.(png|jpe?g|webp)$/i.test(value) && !value.split('/').includes('..');
}

/** Cameras reliably read only dark squares on a light background. */
function isLightColour(value: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(value) && [1, 3, 5].every((at) => Number.parseInt(value.slice(at, at + 2), 16) >= 0xc0);
}

function isDocument(value: string): boolean {
  return value === OWN_PAPER_PATH || isFramed(value);
}

function isFramed(value: string): boolean {
  return link.safeParse(value).success && frameOrigin(value) !== null;
}

/** Rejects `//host`, which is a URL on another host without its protocol. */
function isOwnPath(value: string): boolean {
  return /^\/(?![/\\])[^\s]*$/.test(value);
}
