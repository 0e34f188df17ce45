/** In the order in which a title is matched. Only the longer list has Banking (R-NEWS-3). */
export const NEWS_CATEGORIES = ['Bitcoin', 'Ethereum', 'Regulation', 'DeFi', 'Analysis', 'Banking', 'Markets'] as const;
export type NewsCategory = (typeof NEWS_CATEGORIES)[number];

const KEYWORDS: readonly (readonly [NewsCategory, RegExp])[] = [
  ['Bitcoin', /\b(?:bitcoin|btc|satoshi)/i],
  ['Ethereum', /\b(?:ethereum|ether|eth|vitalik)\b/i],
  ['Regulation', /\b(?:regulat\w*|sec|cftc|mica|law|laws|lawsuit|court|congress|senate|ban|bans|bill)\b/i],
  ['DeFi', /\b(?:defi|dex|decentrali[sz]ed finance|yield|liquidity pool|staking)\b/i],
  ['Analysis', /\b(?:analysis|analyst|analysts|forecast|outlook|prediction|chart)\b/i],
  ['Banking', /\b(?:bank|banks|banking|banker|fed|federal reserve|ecb)\b/i],
];

/** The first category whose pattern matches, else Markets. Home page headlines leave out Banking. */
export function categoryOf(title: string, { withBanking = true }: { withBanking?: boolean } = {}): NewsCategory {
  const found = KEYWORDS.find(([category, pattern]) => (withBanking || category !== 'Banking') && pattern.test(title));
  return found?.[0] ?? 'Markets';
}
