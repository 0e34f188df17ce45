/** Repeatable random numbers: the same seed gives the same numbers on every machine. sfc32 seeded by SHA-256 or HMAC. */
import { createHash, createHmac } from 'node:crypto';
import { sfc32 } from '#domain/forecast/sfc32.ts';

/** Draws from [0, 1). */
export type Random = () => number;

export function seededRandom(...seed: readonly (string | number)[]): Random {
  return randomOf(createHash('sha256').update(JSON.stringify(seed)).digest());
}

/** The same, and no one without the key can know the numbers. @param key  32 bytes in hex */
export function keyedRandom(key: string, ...seed: readonly (string | number)[]): Random {
  return randomOf(createHmac('sha256', Buffer.from(key, 'hex')).update(JSON.stringify(seed)).digest());
}

function randomOf(digest: Buffer): Random {
  return sfc32(digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8));
}

/** A standard normal draw (Box and Muller). */
export function normalDraw(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
