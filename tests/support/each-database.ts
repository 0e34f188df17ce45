/** One describe block for each kind of database; the one that cannot be had is skipped by name, with the reason. */
import { describe } from 'vitest';
import { POSTGRES_SKIPPED, type TestDatabaseKind, testDatabaseKinds } from './database.ts';

const KINDS: readonly TestDatabaseKind[] = ['pglite', 'postgres'];

export function describeEachDatabase(subject: string, block: (kind: TestDatabaseKind) => void): void {
  for (const kind of KINDS) {
    const isHere = testDatabaseKinds().includes(kind);
    describe.skipIf(!isHere)(`${subject} on ${kind}${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => block(kind));
  }
}

/** For what depends on no database, and takes long: on PostgreSQL where it is at hand. */
export function describeOneDatabase(subject: string, block: (kind: TestDatabaseKind) => void): void {
  const kind = testDatabaseKinds().at(-1) ?? 'pglite';
  describe(`${subject} on ${kind}`, () => block(kind));
}
