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

/** From every category of the list, and neutral: no headline suggests a price move. */
const HEADLINES: readonly string[] = [
  'Bitcoin museum opens its first imaginary wing',
  'Ethereum study group counts its members twice',
  'New law on invented coins is read aloud in an empty court',
  'DeFi cooperative publishes a cookbook of pools',
  'Analysis: how twelve invented charts were drawn',
  'Bank of Nowhere changes the colour of its vault',
  'Exchange of the sandbox celebrates a quiet day',
  'BTC postage stamps sell out at a fictional fair',
  'Ether-powered lighthouse blinks every fifteen seconds',
  'Regulators of an invented island agree on a date to meet',
  'Staking explained with gardening tools',
  'Analyst without a company forecasts the weather',
  'Central bank of the sandbox tests paper that folds',
  'Trading hall of cardboard gets a second floor',
  'Bitcoin reading room lends out ten dictionaries',
  'ETH wallet made of wood wins a design prize that does not exist',
  'Court in a novel decides who owns the ledger',
  'Decentralized finance choir rehearses in three cities',
  'Outlook for the sandbox: same hours, other numbers',
  'Banking hours extended in a town without clocks',
  'Stablecoin of the stage holds its pose',
  'Satoshi lookalikes meet and do not agree',
  'Ethereum calendar has a day too many, and keeps it',
  'Congress of model railways debates a bill on tokens',
  'DEX built from building blocks settles in marbles',
  'Chart of nothing in particular now comes in colour',
  'Fed pigeons return to their loft, observers of birds say',
  'Miners of an invented valley share one kettle',
  'A very long headline about an exchange that does not exist, written so that anyone who lays out a card sees what happens to one that goes on, and on, well past the second line and most likely the third',
  'Wallet & key: a sample with an ampersand in it',
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
    summary: `A sample article of the sandbox, number ${number}. None of it happened. It replaces a feed's summary and is about as long as most of them.`,
    // Not on the exact hour, as with real editors.
    publishedMs: FIRST_MS + number * PERIOD_MS + ((number * 7919) % 90) * 60_000,
    // Some have none, so that tests see the list without a picture.
    hasPicture: number % 5 !== 1,
  };
}
