/** A sum over a table's rows that ignores their order, since two databases return them in different orders. */
import { hash } from 'node:crypto';

const MODULUS = 1n << 256n;

export interface RowSum {
  add(line: string): void;
  readonly rows: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** Adds the rows' SHA-256 hashes modulo 2^256: a missing, duplicated or altered row changes the sum. */
export function rowSum(): RowSum {
  let rows = 0;
  let sum = 0n;
  return {
    add(line) {
      rows += 1;
      sum = (sum + BigInt(`0x${hash('sha256', line)}`)) % MODULUS;
    },
    get rows() {
      return rows;
    },
    get hash() {
      return sum.toString(16).padStart(64, '0');
    },
  };
}
