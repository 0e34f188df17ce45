/** Describe blocks on one kind of database or on each. A kind that is not available is skipped by name, with the reason. */
import { describe } from 'vitest';
import { isQuick, TEST_KIND } from '../run/test-size.ts';
import { POSTGRES_SKIPPED, type TestDatabaseKind, testDatabaseKinds } from './database.ts';

const KINDS: readonly TestDatabaseKind[] = ['pglite', 'postgres'];

/**
 * For SQL, locks, jobs, migrations and LISTEN, which may differ between PGlite and a server. In a quick run contract
 * tests run on one kind, because the tests of `tests/database` run on both.
 */
export function describeEachDatabase(subject: string, block: (kind: TestDatabaseKind) => void): void {
  if (isQuick && process.env[TEST_KIND] === 'contract') {
    describeOneDatabase(subject, block);
    return;
  }
  for (const kind of KINDS) {
    const isHere = testDatabaseKinds().includes(kind);
    describe.skipIf(!isHere)(`${subject} on ${kind}${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => block(kind));
  }
}

/** For behaviour that is the same on every kind of database: runs on PostgreSQL if available. */
export function describeOneDatabase(subject: string, block: (kind: TestDatabaseKind) => void): void {
  const kind = testDatabaseKinds().at(-1) ?? 'pglite';
  describe(`${subject} on ${kind}`, () => block(kind));
}
