/** A backend with an admin and a user for the tests of the changelog, and what they write and count with. */
import { OWNER } from '../../../../server/platform/database/database.ts';
import type { TestDatabaseKind } from '../../../support/database/database.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';
import { backendTestServer } from '../backend.ts';

export function changelogWorld(kind: TestDatabaseKind) {
  const world = openedForTests(async () => {
    const server = await backendTestServer(kind);
    const [chief, user] = [await server.user(), await server.user()];
    await server.database.query(OWNER, "update public.profiles set role = 'admin' where id = $1::text::uuid", [
      chief.id,
    ]);
    return { server, chief, user, close: () => server.close() };
  });

  /** As the screen writes one. */
  const write = (content: string, more: object = {}) =>
    world()
      .chief.client.from('changelog_posts')
      .insert({ content, author_id: world().chief.id, published_at: new Date().toISOString(), ...more });
  const written = async (content: string): Promise<string> => {
    const { data, error } = await write(content).select('id').single();
    if (error) throw error;
    return data.id;
  };
  const contentOf = async (id: string): Promise<string | null> =>
    (await world().server.service().from('changelog_posts').select('content').eq('id', id).maybeSingle()).data
      ?.content ?? null;
  const countOf = async (table: string): Promise<number | null> =>
    (await world().server.service().from(table).select('*', { count: 'exact', head: true })).count;
  const empty = () => world().server.database.query(OWNER, 'delete from public.changelog_posts');
  return { world, write, written, contentOf, countOf, empty };
}
