/** The operator's texts and addresses (GET /site.json). The shipped ones are visibly samples. */
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1), z.maxLength(300));
const link = z.url({ protocol: /^https$/ });

export const DONATION_TICKERS = ['BTC', 'ETH', 'SOL', 'DOGE', 'LTC', 'XRP'] as const;
export type DonationTicker = (typeof DONATION_TICKERS)[number];

const donationSchema = z.object({
  name: text,
  ticker: z.enum(DONATION_TICKERS),
  address: text,
  /** Path of its QR picture on our origin. */
  qr: z.string(),
  /** The picture's light colour, in CSS notation. */
  bg: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)),
  /** XRP's destination tag. */
  memo: z.optional(text),
});
export type Donation = z.infer<typeof donationSchema>;

export const testimonialSchema = z.object({
  name: text,
  role: text,
  content: z.string().check(z.minLength(1), z.maxLength(1000)),
  /** Stars, 1 to 5. */
  rating: z.int().check(z.gte(1), z.lte(5)),
});
export type Testimonial = z.infer<typeof testimonialSchema>;

/** A real picture of the simulator, from the operator's own files. */
const simulatorPictureSchema = z.object({
  /** A path on our origin. */
  url: z.string(),
  /** What it shows: caption and text alternative. */
  text,
});
export type SimulatorPicture = z.infer<typeof simulatorPictureSchema>;

/** Which parts are still the shipped samples: a page marks each of them. */
const samplesSchema = z.object({
  /** The name and the support address. */
  operator: z.boolean(),
  links: z.boolean(),
  donations: z.boolean(),
  testimonials: z.boolean(),
});

export const siteSettingsSchema = z.object({
  /** True while the operator has set nothing: everything is a sample. */
  isSample: z.boolean(),
  samples: samplesSchema,
  operatorName: text,
  supportEmail: z.email(),
  links: z.object({
    channel: link,
    chat: link,
    patrons: link,
    simulatorPurchase: link,
    simulatorDownload: link,
    social: z.array(z.object({ label: text, url: link })),
  }),
  donations: z.array(donationSchema),
  testimonials: z.array(testimonialSchema),
  simulatorPictures: z.array(simulatorPictureSchema),
  /** URL in the frame of /research: a path on our site, or a URL elsewhere. */
  researchUrl: z.string(),
  /** The video of /ai-models: our own film, or an embedded player elsewhere. */
  modelsVideo: z.object({ kind: z.enum(['file', 'embed']), url: z.string() }),
});
export type SiteSettings = z.infer<typeof siteSettingsSchema>;

export const OWN_PAPER_PATH = '/research-paper/';
export const OWN_FILM_PATH = '/films/models.mp4';
