/** Settings until an operator provides real ones: every name, address and quote is marked as a sample. */
import { NOWHERE } from './sample-link.ts';
import {
  DONATION_TICKERS,
  type Donation,
  type DonationTicker,
  OWN_FILM_PATH,
  OWN_PAPER_PATH,
  type SiteSettings,
} from './site-settings.ts';

/** Shown in place of an address: words with spaces, which no wallet accepts. */
export const SAMPLE_ADDRESS = 'Demo address - do not send';

export const COINS: Readonly<Record<DonationTicker, { name: string; bg: string }>> = {
  BTC: { name: 'Bitcoin', bg: '#fdf3e4' },
  ETH: { name: 'Ethereum', bg: '#eceffd' },
  SOL: { name: 'Solana', bg: '#e8f8f3' },
  DOGE: { name: 'Dogecoin', bg: '#faf5e1' },
  LTC: { name: 'Litecoin', bg: '#eaf0f7' },
  XRP: { name: 'XRP', bg: '#eef1f4' },
};

export const SAMPLE_SETTINGS: SiteSettings = {
  isSample: true,
  samples: { operator: true, links: true, donations: true, testimonials: true },
  operatorName: 'Sample operator',
  supportEmail: 'support@example.com',
  links: {
    channel: `${NOWHERE}channel`,
    chat: `${NOWHERE}chat`,
    patrons: `${NOWHERE}patrons`,
    simulatorPurchase: `${NOWHERE}simulator`,
    simulatorDownload: `${NOWHERE}simulator-download`,
    social: [
      { label: 'Video channel', url: `${NOWHERE}channel` },
      { label: 'Chat community', url: `${NOWHERE}chat` },
      { label: 'Patron page', url: `${NOWHERE}patrons` },
    ],
  },
  donations: DONATION_TICKERS.map(sampleDonation),
  testimonials: [
    { name: 'Sample name', role: 'Sample role', content: 'Sample quote', rating: 5 },
    { name: 'Sample name', role: 'Sample role', content: 'Sample quote', rating: 4 },
    { name: 'Sample name', role: 'Sample role', content: 'Sample quote', rating: 3 },
  ],
  simulatorPictures: [],
  researchUrl: OWN_PAPER_PATH,
  modelsVideo: { kind: 'file', url: OWN_FILM_PATH },
};

export function donationPicture(ticker: DonationTicker): string {
  return `/donations/${ticker}.svg`;
}

/** @param index  place in the operator's list, from 0 */
export function simulatorPicturePath(index: number): string {
  return `/simulator-pictures/${index + 1}`;
}

function sampleDonation(ticker: DonationTicker): Donation {
  const donation = { ...COINS[ticker], ticker, address: SAMPLE_ADDRESS, qr: donationPicture(ticker) };
  return ticker === 'XRP' ? { ...donation, memo: 'Demo tag' } : donation;
}
