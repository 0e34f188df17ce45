import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, fromHex, packHex, type Sha256, toHex, unpackHex } from '#domain/record/ledger/bytes.ts';
import { inclusionPath, isIncluded, merkleRoot } from '#domain/record/ledger/merkle.ts';

const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const entries = fc.array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 70 });

/** As defined in RFC 6962, 2.1: the largest power of two below the count goes left. */
function rootByTheRfc(leaves: readonly Uint8Array[]): Buffer {
  const [only] = leaves;
  const hash = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  if (leaves.length === 1 && only !== undefined) return hash(Uint8Array.of(0), only);
  let half = 1;
  while (2 * half < leaves.length) half *= 2;
  return hash(Uint8Array.of(1), rootByTheRfc(leaves.slice(0, half)), rootByTheRfc(leaves.slice(half)));
}

test('computes the root of RFC 6962', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (leaves) => {
      expect(toHex(await merkleRoot(leaves, sha256))).toBe(rootByTheRfc(leaves).toString('hex'));
    }),
  );
});

test('computes the root of the reference implementation’s eight entries', async () => {
  const texts = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const leaves = texts.map((text) => fromHex(text) ?? new Uint8Array());

  expect(toHex(await merkleRoot(leaves, sha256))).toBe(
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  );
});

test('proves every entry at its own place only', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.nat(), fc.nat(), async (leaves, at, other) => {
      const index = at % leaves.length;
      const [entry = new Uint8Array()] = [leaves[index]];
      const [root, path] = [await merkleRoot(leaves, sha256), await inclusionPath(leaves, index, sha256)];
      const count = leaves.length;

      expect(await isIncluded({ entry, index, count, path }, root, sha256)).toBe(true);
      expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      const elsewhere = other % count;
      const same = toHex(leaves[elsewhere] ?? entry) === toHex(entry);
      if (!same) expect(await isIncluded({ entry, index: elsewhere, count, path }, root, sha256)).toBe(false);
      const longer = { entry, index, count, path: [...path, root] };
      expect(await isIncluded(longer, root, sha256)).toBe(false);
      expect(await isIncluded({ ...longer, path: path.slice(1) }, root, sha256)).toBe(path.length === 0);
      expect(await isIncluded({ entry: Uint8Array.of(...entry, 0), index, count, path }, root, sha256)).toBe(false);
    }),
  );
});

test('refuses impossible places', async () => {
  const root = await merkleRoot([Uint8Array.of(1)], sha256);
  for (const [index, count] of [
    [1, 1],
    [-1, 1],
    [0, 0],
    [0.5, 1],
    [0, Number.POSITIVE_INFINITY],
    [0, 2 ** 53],
  ] as const)
    expect(await isIncluded({ entry: Uint8Array.of(1), index, count, path: [] }, root, sha256)).toBe(false);
  await expect(merkleRoot([], sha256)).rejects.toThrow(RangeError);
  await expect(inclusionPath([Uint8Array.of(1)], 1, sha256)).rejects.toThrow(RangeError);
});

test('reads hex and base64 only in the form it writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(fromHex(toHex(bytes))).toEqual(bytes);
      expect(fromBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
      expect(packHex(toHex(bytes))).toBe(Buffer.from(bytes).toString('base64url'));
      expect(unpackHex(packHex(toHex(bytes)))).toBe(toHex(bytes));
    }),
  );
  for (const text of ['AB', 'A', 'AA=', 'AA+A', 'AA/A', 'AA\n']) expect(unpackHex(text)).toBe(null);
  for (const text of ['a', 'AB', 'zz', '0x', ' 00']) expect(fromHex(text)).toBe(null);
  for (const text of ['A', 'AA', 'AB==', 'AAA', 'AA=A', 'A===', '====', 'AA-_', 'AA==\n'])
    expect(fromBase64(text)).toBe(null);
});
