/** By day tests run on PostgreSQL where it is at hand; at night those whose SQL does not depend on the kind run on both. */

import { isNight } from '../run/test-size.ts';
import { type TestDatabaseKind, testDatabaseKinds } from './database.ts';
import { describeEachDatabase, describeOneDatabase } from './each-database.ts';

export const dayDatabase: TestDatabaseKind = testDatabaseKinds().at(-1) ?? 'pglite';

export const describeBothAtNight = isNight ? describeEachDatabase : describeOneDatabase;
