/** News articles: what they are about, told from their titles. Specification 1, section 9; 2, section 7.1. */

/** In the order in which a title is asked for them. Banking is a category of the longer list alone: READINGS 10. */
export const NEWS_CATEGORIES = ['Bitcoin', 'Ethereum', 'Regulation', 'DeFi', 'Analysis', 'Banking', 'Markets'] as const;
export type NewsCategory = (typeof NEWS_CATEGORIES)[number];

const WORDS: readonly (readonly [NewsCategory, RegExp])[] = [
  ['Bitcoin', /\b(?:bitcoin|btc|satoshi)/i],
  ['Ethereum', /\b(?:ethereum|ether|eth|vitalik)\b/i],
  ['Regulation', /\b(?:regulat\w*|sec|cftc|mica|law|laws|lawsuit|court|congress|senate|ban|bans|bill)\b/i],
  ['DeFi', /\b(?:defi|dex|decentrali[sz]ed finance|yield|liquidity pool|staking)\b/i],
  ['Analysis', /\b(?:analysis|analyst|analysts|forecast|outlook|prediction|chart)\b/i],
  ['Banking', /\b(?:bank|banks|banking|banker|fed|federal reserve|ecb)\b/i],
];

/**
 * The first category whose words the title holds, else Markets.
 *
 * @param options.withBanking  false for the home page's headlines, which know no Banking. Default true
 */
export function categoryOf(title: string, { withBanking = true }: { withBanking?: boolean } = {}): NewsCategory {
  const found = WORDS.find(([category, words]) => (withBanking || category !== 'Banking') && words.test(title));
  return found?.[0] ?? 'Markets';
}
