/** A sum over a table's rows in which their order does not matter, since two databases give it differently. */
import { createHash } from 'node:crypto';

const MODULUS = 1n << 256n;

export interface RowSum {
  /** @param line  a row as its text */
  add(line: string): void;
  readonly rows: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** The rows' SHA-256 hashes, added up modulo 2^256: a row that is missing, doubled or altered changes it. */
export function rowSum(): RowSum {
  let rows = 0;
  let sum = 0n;
  return {
    add(line) {
      rows += 1;
      sum = (sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % MODULUS;
    },
    get rows() {
      return rows;
    },
    get hash() {
      return sum.toString(16).padStart(64, '0');
    },
  };
}
