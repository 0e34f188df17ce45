/** How a listing finds one user's files in a bucket that holds many users' files. */
import { expect, test } from 'vitest';
import { listObjects, type ObjectListing } from '../../server/backend/storage/list-store.ts';
import { type Database, type DatabaseCaller, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const USER = '11111111-0000-4000-8000-000000000000';
const CALLER: DatabaseCaller = { role: 'authenticated', claims: { sub: USER, role: 'authenticated' } };
const WHOLE: ObjectListing = {
  bucket: 'avatars',
  prefix: '',
  search: '',
  limit: 100,
  offset: 0,
  column: 'name',
  isDescending: false,
};

// Runs on both kinds, because the listing is one SQL statement with a sort order.
describeEachDatabase('a listing', (kind) => {
  const database = openedForTests(async () => {
    const opened = await openTestDatabase(kind);
    await opened.transaction(OWNER, (tx) =>
      tx.query(`
        insert into storage.objects (bucket_id, name, owner_id, version)
          select 'avatars', md5(n::text)::uuid || '/' || n || '.png', 'x', gen_random_uuid() from generate_series(1, 5000) n;
        insert into storage.objects (bucket_id, name, owner_id, version)
          select 'avatars', '${USER}/' || name, '${USER}', gen_random_uuid()
            from unnest(array['b.png', 'B.png', 'a.png', 'ä.png', 'folder/1.png', 'folder/2.png', 'folder0.png']) as name;
        analyze storage.objects;
      `),
    );
    return opened;
  });

  /** The database's plan for a listing's statement. */
  async function planOf(listing: ObjectListing): Promise<string> {
    let plan = '';
    const explaining: Database = {
      ...database(),
      query: async (caller, text, params) => {
        const rows = await database().query(caller, `explain (verbose) ${text}`, params);
        plan = rows.map((row) => Object.values(row)[0]).join('\n');
        return [];
      },
    };
    await listObjects(explaining, CALLER, listing).catch(() => undefined);
    return plan;
  }

  const namesIn = async (listing: ObjectListing): Promise<string[]> =>
    JSON.parse(await listObjects(database(), CALLER, listing)).map((one: { name: string }) => one.name);

  test("calls no function for each row of the bucket, because the policy's is inlined", async () => {
    const plan = await planOf(WHOLE);

    expect(plan).toContain('string_to_array');
    expect(plan).not.toContain('foldername');
  });

  test('reads only the requested folder', async () => {
    const plan = await planOf({ ...WHOLE, prefix: `${USER}/` });

    expect(plan).toMatch(/idx_objects_bucket_id_name[\s\S]*Index Cond: .*>=/);
  });

  test('orders by code point, equally on every database', async () => {
    const folder = { ...WHOLE, prefix: `${USER}/` };

    expect(await namesIn(WHOLE)).toEqual([USER]);
    expect(await namesIn(folder)).toEqual(['B.png', 'a.png', 'b.png', 'folder', 'folder0.png', 'ä.png']);
    expect(await namesIn({ ...folder, isDescending: true, limit: 2 })).toEqual(['ä.png', 'folder0.png']);
    expect(await namesIn({ ...folder, prefix: `${USER}/folder/` })).toEqual(['1.png', '2.png']);
    expect(await namesIn({ ...folder, search: 'B' })).toEqual(['B.png', 'b.png']);
  });
});
