/** Accounts written directly into a test database, without the auth service. */
import { type Database, type DatabaseCaller, OWNER } from '../../../server/platform/database/database.ts';

export interface TestUser {
  id: string;
  caller: DatabaseCaller;
}

/** A trigger creates the profile. */
export async function createDatabaseUser(database: Database, email: string): Promise<TestUser> {
  const [row] = await database.query<{ id: string }>(OWNER, 'insert into auth.users (email) values ($1) returning id', [
    email,
  ]);
  if (!row) throw new Error('no user was made');
  return { id: row.id, caller: { role: 'authenticated', claims: { sub: row.id, role: 'authenticated', email } } };
}
