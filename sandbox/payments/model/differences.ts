export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Of objects only what differs, of lists the whole list; null for a missing attribute, and if nothing differs. */
export function previousAttributes(before: Json, after: Json): { [name: string]: Json } | null {
  if (!isGroup(before) || !isGroup(after)) return null;
  const changed = Object.keys({ ...before, ...after }).flatMap((name): [string, Json][] => {
    const [was = null, is = null] = [before[name], after[name]];
    if (isGroup(was) && isGroup(is)) {
      const inner = previousAttributes(was, is);
      return inner === null ? [] : [[name, inner]];
    }
    return isSame(was, is) ? [] : [[name, was]];
  });
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

export function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** The views list their fields in one order. */
function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isGroup(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
