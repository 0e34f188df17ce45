/** @returns 'BTC', 'BTC and ETH', 'BTC, ETH and SOL'; '' for an empty list */
export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}
