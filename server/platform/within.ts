/** Waits for a limited time. */

/**
 * Resolves to null when it takes longer than `limitMs`; the work continues.
 *
 * @throws the error of the work if it fails in time
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
