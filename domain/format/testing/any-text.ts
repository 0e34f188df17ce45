import fc from 'fast-check';

/** Every code point except halves of a pair. */
const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/**
 * Text of any code points, and names that objects already have. `fc.string({ unit: 'binary' })` first lists all million
 * code points, which takes a second.
 */
export function anyTextOf(length: { minLength?: number; maxLength: number }): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(codePoint, length).map((points) => points.join('')) },
    fc.string(length),
  );
}
