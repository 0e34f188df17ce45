/** Runs every step in order, even if earlier ones fail. @throws the only failure, or an AggregateError of all */
export async function closeAll(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} shutdown steps failed.`);
}
