/**
 * Looks at all of them, a few at a time: what verifies shall not be a load of its own. What cannot be looked at is not there:
 * it goes to `lost`.
 */
const AT_ONCE = 4;

export async function inTurn<T>(all: readonly T[], lost: string[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift())
      await act(one).catch((error: unknown) => lost.push(String(error)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
