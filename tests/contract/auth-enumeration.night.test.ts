/** The time of an answer does not reveal whether an address has an account. */
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { knownAddresses } from './support/auth/known-addresses.ts';
import { backendTestServer } from './support/backend.ts';

const ROUNDS = 25;
const ROUNDS_WITH_HASH = 5;
/** Half the work of the product's hash, and still several times that of the rest of a call. */
const PASSWORD_COST = 9;
/** Wide because the machine is shared. Equal statements are the proof; a forgotten hash would show as a multiple. */
const NOISE = { atLeast: 0.4, atMost: 2.5 };

describeBothAtNight('known and unknown addresses', (kind) => {
  const server = openedForTests(async () => {
    const accounts = { settings: { isConfirmationRequired: true } };
    return backendTestServer(kind, { accounts, passwordCost: PASSWORD_COST });
  });
  const { post, confirmed, unknownAddress } = knownAddresses(server);

  /** Returns the time for unknown addresses as a multiple of that for known ones. */
  async function timesRatio(path: string, fields: Record<string, unknown>, knownOnes: readonly string[]) {
    const timeOf = async (email: string) => {
      const startedMs = performance.now();
      await post(`/auth/v1${path}`, { ...fields, email });
      return performance.now() - startedMs;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (const address of knownOnes) {
      known.push(await timeOf(address));
      unknown.push(await timeOf(unknownAddress()));
    }
    return median(unknown) / median(known);
  }

  test.each<[string, string, Record<string, unknown>, number]>([
    ['recover', '/recover', {}, ROUNDS],
    ['a link', '/otp', {}, ROUNDS],
    ['resend', '/resend', { type: 'signup' }, ROUNDS],
    ['sign-in, with a hash for both', '/token?grant_type=password', { password: 'Password2' }, ROUNDS_WITH_HASH],
    ['sign-up, with a hash for both', '/signup', { password: 'Password3' }, ROUNDS_WITH_HASH],
  ])('%s: takes the same time within noise', async (_what, path, fields, rounds) => {
    const address = await confirmed();
    const addresses = Array.from({ length: rounds }, () => address);
    const isNoise = (ratio: number) => ratio > NOISE.atLeast && ratio < NOISE.atMost;

    const first = await timesRatio(path, fields, addresses);
    // Other work on the machine can distort one measurement, but hardly two.
    const ratios = isNoise(first) ? [first] : [first, await timesRatio(path, fields, addresses)];

    expect(ratios.filter(isNoise), `ratios ${ratios.join(', ')}`).not.toEqual([]);
  });
});

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
