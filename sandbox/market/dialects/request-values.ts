/** What dialects read of a request before they answer or refuse it. */

/** Whole numbers of a query by their names: absent where not given, NaN where one is no such number. */
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

/** JSON of a message; null for text that is none, which no schema takes for a request. */
export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A reader's broken text gets the refusal that any other wrong request gets.
    return null;
  }
}
