/** Headlines of invented publishers, the same at the same time in every sandbox. None is about a real event. */

export interface SampleArticle {
  number: number;
  title: string;
  summary: string;
  publishedMs: number;
  hasPicture: boolean;
}

const FIRST_MS = Date.UTC(2026, 0, 1);
const PERIOD_MS = 150 * 60_000;
const SHOWN = 28;

/** From every category of the list, and neutral: no headline suggests a price move. Each fits on the three lines of a card. */
const HEADLINES: readonly string[] = [
  'Bitcoin nodes publish their half-yearly count',
  'Ethereum developers set a date for the next test network',
  'Draft law on digital assets enters public consultation',
  'DeFi protocol publishes its security audit',
  'Analysis: how order book depth differs between exchanges',
  'Bank opens a custody service for digital assets',
  'Exchange adds two-factor sign-in for all accounts',
  'BTC mining pools publish their energy sources',
  'Ether wallets agree on a common address format',
  'Regulators publish guidance on record keeping',
  'Staking guide explains withdrawal queues',
  'Analyst report compares the fees of ten exchanges',
  'Central bank starts a survey on digital payments',
  'Exchange announces its maintenance window for the weekend',
  'Bitcoin conference publishes its programme',
  'ETH client releases a maintenance update',
  'Court schedules a hearing on ledger ownership',
  'Decentralized finance group drafts disclosure standards',
  'Outlook for the quarter: the dates to know',
  'Banking hours over the holidays: an overview',
  'Stablecoin issuer publishes its monthly attestation',
  'Satoshi-era documents move to a public archive',
  'Ethereum foundation lists its grants of the year',
  'Congress committee plans a session on token rules',
  'DEX interface adds support for hardware wallets',
  'Chart standards group proposes common colors',
  'Fed publishes its calendar for the coming year',
  'Market data provider extends its history by five years',
  'Trading venues agree on a common format for their opening hours across all time zones',
  'Wallets & keys: a guide to safe storage',
];

export function sampleArticles(nowMs: number): SampleArticle[] {
  const newest = Math.floor((nowMs - FIRST_MS) / PERIOD_MS);
  return Array.from({ length: SHOWN + 1 }, (_, i) => newest - i)
    .filter((number) => number >= 0)
    .map(articleOf)
    .filter((article) => article.publishedMs <= nowMs)
    .slice(0, SHOWN);
}

function articleOf(number: number): SampleArticle {
  const headline = HEADLINES[number % HEADLINES.length] ?? '';
  return {
    number,
    title: `Sample: ${headline}`,
    summary: `A sample article of the sandbox, number ${number}. None of it happened.`,
    // Not on the exact hour, as with real editors.
    publishedMs: FIRST_MS + number * PERIOD_MS + ((number * 7919) % 90) * 60_000,
    // Some have none, so that tests see the list without a picture.
    hasPicture: number % 5 !== 1,
  };
}
