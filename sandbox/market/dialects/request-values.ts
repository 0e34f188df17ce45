/** Whole numbers of a query by name: absent if not given, NaN if invalid. */
export function readWhole<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const text = query.get(name);
    if (text !== null) found[name] = /^\d{1,14}$/.test(text) ? Number(text) : Number.NaN;
  }
  return found;
}
