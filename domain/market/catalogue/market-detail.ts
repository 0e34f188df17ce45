/** 'Chainlink · BINANCE · perpetual': what lists of markets show beside a label. Unknown (empty) parts are left out. */
export function marketDetail(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
