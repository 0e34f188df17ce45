/** What a list of applied migrations means to this version. */
import { describe, expect, test } from 'vitest';
import { MigrationRefused, readMigrations, readSquashed, replaceFormer } from './migration-files.ts';

const applied = (...names: string[]) => names.map((name) => ({ name, checksum: `sum of ${name}` }));
const squashed = { former: applied('migrations/1_a.sql', 'migrations/2_b.sql'), into: 'migrations/4_d.sql' };
const known = applied('embedded/1.sql', 'migrations/3_c.sql', 'migrations/4_d.sql', 'migrations/5_e.sql');

describe('former migrations', () => {
  test('are replaced by the files that they were merged into, and by no later one', () => {
    const present = replaceFormer(
      applied('embedded/1.sql', 'migrations/1_a.sql', 'migrations/2_b.sql'),
      squashed,
      known,
    );

    expect(present).toEqual(applied('embedded/1.sql', 'migrations/3_c.sql', 'migrations/4_d.sql'));
  });

  test('are not assumed of an empty or a present database', () => {
    for (const list of [[], applied('embedded/1.sql'), known]) expect(replaceFormer(list, squashed, known)).toBe(list);
  });

  test('are refused when some are missing, with the version that can apply them', () => {
    const partly = () => replaceFormer(applied('migrations/1_a.sql'), squashed, known);

    expect(partly).toThrow(MigrationRefused);
    expect(partly).toThrow(/1 of the 2 .* migrations\/2_b\.sql\. Nothing was changed\. Start the last version .* once/);
  });

  test('are refused with another text', () => {
    const [first, second] = squashed.former;
    const edited = [{ name: first?.name ?? '', checksum: 'another' }, ...(second ? [second] : [])];

    expect(() => replaceFormer(edited, squashed, known)).toThrow(/1_a\.sql has a different text/);
  });

  test('name present files as their replacement, and none of them', async () => {
    const { former, into } = await readSquashed();
    const present = (await readMigrations(['migrations'])).map(({ name }) => name);

    expect(former).toHaveLength(53);
    // Files up to that one are recorded without being run, so none may be added among them.
    expect(present.indexOf(into)).toBe(10);
    expect(former.filter(({ name }) => present.includes(name))).toEqual([]);
    expect(former.every(({ name, checksum }) => name < into && /^[0-9a-f]{64}$/.test(checksum))).toBe(true);
  });
});

test('runs migrations in the order of their time: each is named by it and by no other’s', async () => {
  const names = (await readMigrations(['migrations'])).map(({ name }) => name);
  const versions = names.map((name) => /^migrations\/(\d{14})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/.exec(name)?.[1] ?? name);

  expect(names.filter((name) => versions.includes(name))).toEqual([]);
  expect(new Set(versions).size).toBe(names.length);
});
