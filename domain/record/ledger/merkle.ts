/**
 * Merkle trees as in RFC 6962: leaf = SHA-256(0x00 || entry), node = SHA-256(0x01 || left || right), a left half of the
 * largest power of two below the count. One root commits to all entries in order, and a path of some ten hashes proves
 * that an entry is among them.
 */
import { isSameBytes, type Sha256 } from './bytes.ts';

/** @throws RangeError without any entry: an hour without records has no root */
export async function merkleRoot(entries: readonly Uint8Array[], sha256: Sha256): Promise<Uint8Array> {
  const root = (await levelsOf(entries, sha256)).at(-1)?.[0];
  if (root === undefined) throw new RangeError('A tree must have at least one entry.');
  return root;
}

/** Sibling hashes from an entry up to the root, lowest first. @throws RangeError for an index out of range */
export async function inclusionPath(
  entries: readonly Uint8Array[],
  index: number,
  sha256: Sha256,
): Promise<Uint8Array[]> {
  if (!Number.isInteger(index) || index < 0 || index >= entries.length) throw new RangeError('There is no such entry.');
  const levels = await levelsOf(entries, sha256);
  // The last node of an odd level has no sibling and moves up unchanged.
  return levels.slice(0, -1).flatMap((level, height) => level[Math.floor(index / 2 ** height) ^ 1] ?? []);
}

export interface Inclusion {
  entry: Uint8Array;
  /** From 0, among `count` entries. */
  index: number;
  count: number;
  path: readonly Uint8Array[];
}

export async function isIncluded(
  { entry, index, count, path }: Inclusion,
  root: Uint8Array,
  sha256: Sha256,
): Promise<boolean> {
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(index) || index < 0 || index >= count) return false;
  let hash = await sha256(prefixed(LEAF, entry));
  let used = 0;
  for (let [at, width] = [index, count]; width > 1; [at, width] = [Math.floor(at / 2), Math.ceil(width / 2)]) {
    if (at % 2 === 0 && at === width - 1) continue;
    const beside = path[used];
    if (beside === undefined) return false;
    used += 1;
    hash = await sha256(at % 2 === 0 ? prefixed(NODE, hash, beside) : prefixed(NODE, beside, hash));
  }
  return used === path.length && isSameBytes(hash, root);
}

const LEAF = 0;
const NODE = 1;

/** Levels from the leaves to the root; pairing neighbours and moving an odd one up gives the tree of the RFC. */
async function levelsOf(entries: readonly Uint8Array[], sha256: Sha256): Promise<Uint8Array[][]> {
  let level = await Promise.all(entries.map((entry) => sha256(prefixed(LEAF, entry))));
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    level = await Promise.all(
      Array.from({ length: Math.ceil(below.length / 2) }, (_, i) => {
        const [left, right] = [below[2 * i], below[2 * i + 1]];
        return left === undefined || right === undefined
          ? (left ?? new Uint8Array())
          : sha256(prefixed(NODE, left, right));
      }),
    );
    levels.push(level);
  }
  return levels;
}

function prefixed(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
