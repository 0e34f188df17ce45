/**
 * Runs a check on all items, a few at a time, because verifying must not be a load itself. An item whose check throws
 * counts as missing: its error goes to `lost`.
 */
const CONCURRENCY = 4;

export async function inTurn<T>(all: readonly T[], lost: string[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift())
      await act(one).catch((error: unknown) => lost.push(String(error)));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
