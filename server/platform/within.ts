/** Waiting for so long and no longer. */

/**
 * Null when it takes longer than `limitMs`; the work goes on all the same.
 *
 * @throws what the work throws in time
 */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((over) => {
    timer = setTimeout(over, limitMs, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
