/** `parallel`: none waits for another, as at a provider with many senders. */
export type DeliveryOrder = 'fifo' | 'reverse' | 'shuffle' | 'parallel';

/** @param seed  the same seed shuffles the same way */
export function inOrder<T>(items: readonly T[], order: DeliveryOrder, seed: number): T[] {
  if (order === 'fifo' || order === 'parallel') return [...items];
  if (order === 'reverse') return items.toReversed();
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return items
    .map((item) => ({ item, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
