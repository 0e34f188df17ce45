/** The known name that a mistyped one probably meant, for the hint of a refusal. */

/** Share of common pairs of letters (the Dice coefficient) from which a name counts as meant. */
const NEAR = 0.5;
/** Longer than any name in PostgreSQL. */
const LONGEST = 63;

/** @returns the most similar name, the first of equals; null if none is similar */
export function nearestName(name: string, known: Iterable<string>): string | null {
  let best: { name: string; share: number } | null = null;
  for (const one of known) {
    const share = similarity(name.slice(0, LONGEST), one);
    if (share >= NEAR && share > (best?.share ?? 0)) best = { name: one, share };
  }
  return best?.name ?? null;
}

/** 1 for the same letters in any case, 0 without a common pair. */
function similarity(a: string, b: string): number {
  const [ours, theirs] = [pairsOf(a), pairsOf(b)];
  let common = 0;
  for (const [pair, count] of ours) common += Math.min(count, theirs.get(pair) ?? 0);
  return (2 * common) / (a.length + b.length + 2);
}

/** With a mark at both ends, so that single letters and beginnings count too. */
function pairsOf(text: string): Map<string, number> {
  const marked = `-${text.toLowerCase()}-`;
  const pairs = new Map<string, number>();
  for (let at = 1; at < marked.length; at += 1) {
    const pair = marked.slice(at - 1, at + 1);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
