/** The value of a JSON text; undefined for any other text, which the caller reports in its own words. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON.
    return undefined;
  }
}

/** A list, or the list in a JSON text; empty for anything else. */
export function parsedList(value: unknown): unknown[] {
  const list = typeof value === 'string' ? parsedJson(value) : value;
  return Array.isArray(list) ? list : [];
}
