/** By day tests run on PostgreSQL if available; at night, tests whose SQL is the same for both run on both. */

import { isNight } from '../run/test-size.ts';
import { type TestDatabaseKind, testDatabaseKinds } from './database.ts';
import { describeEachDatabase, describeOneDatabase } from './each-database.ts';

export const dayDatabase: TestDatabaseKind = testDatabaseKinds().at(-1) ?? 'pglite';

export const describeBothAtNight = isNight ? describeEachDatabase : describeOneDatabase;
