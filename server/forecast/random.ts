/** Repeatable chance: the same text gives the same numbers on every machine. sfc32 (Chris Doty-Humphrey) seeded by SHA-256. */
import { createHash } from 'node:crypto';

/** Draws from [0, 1). */
export type Random = () => number;

export function seededRandom(...seed: readonly (string | number)[]): Random {
  const digest = createHash('sha256').update(JSON.stringify(seed)).digest();
  let a = digest.readUInt32LE(0);
  let b = digest.readUInt32LE(4);
  let c = digest.readUInt32LE(8);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The generator's author discards the first rounds, so that close seeds part ways.
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** A standard normal draw (Box and Muller). */
export function normalDraw(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
