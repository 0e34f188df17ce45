/** The files of supabase/migrations. */
import { expect, test } from 'vitest';
import { readMigrations } from './migration-files.ts';

test('runs migrations in the order of their time: each is named by it and by no other’s', async () => {
  const names = (await readMigrations(['migrations'])).map(({ name }) => name);
  const versions = names.map((name) => /^migrations\/(\d{14})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/.exec(name)?.[1] ?? name);

  expect(names.filter((name) => versions.includes(name))).toEqual([]);
  expect(new Set(versions).size).toBe(names.length);
});
