/** Pictures of sign-in providers: the server copies them once, and browsers never request them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureFetch } from '../../server/backend/auth/providers/providers.ts';
import { copyWaiting, startProviderPictures } from '../../server/backend/provider-pictures.ts';
import { diskFiles } from '../../server/backend/storage/files/disk-files.ts';
import { pictures } from '../../server/backend/storage/images.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import type { GuardedFetch } from '../../server/platform/outbound/guarded-fetch.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { bombPng, photographWithPlace, plainPicture } from '../support/browser/pictures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { type OAuthWorld, openOAuthWorld, signInThrough } from './support/auth/oauth.ts';

describeOneDatabase('provider pictures', (kind) => {
  let world: OAuthWorld;

  beforeAll(async () => {
    world = await openOAuthWorld(kind);
  });
  afterAll(() => world.close());

  const sql = <T>(text: string, params: unknown[] = []) =>
    world.server.database.query(OWNER, text, params) as Promise<T[]>;
  const depsWith = (fetch: GuardedFetch) => ({
    database: world.server.database,
    files: diskFiles(`${world.server.dataDir}/storage`),
    pictures: pictures(),
    fetch,
    log: createLogger('silent'),
    publicUrl: null,
  });
  const answering =
    (status: number, body: Buffer): GuardedFetch =>
    async (url) => ({ status, headers: {}, body, url });
  const copyWith = (fetch: GuardedFetch) => copyWaiting(depsWith(fetch), new AbortController().signal);
  const avatarOf = async (id: string) => {
    const [row] = await sql<{ url: string | null }>(
      'select avatar_url as url from public.profiles where id = $1::text::uuid',
      [id],
    );
    return row?.url ?? null;
  };
  const waiting = async () => (await sql('select user_id from private.provider_pictures')).length;
  const makeAllDue = () => sql(`update private.provider_pictures set due_at = now() - interval '1 second'`);

  async function newcomer(name: string): Promise<string> {
    const { session } = await signInThrough(world.server, 'google', { name, email: `${name}@example.com` });
    const id = session?.user.id;
    if (id === undefined) throw new Error('no user was signed in');
    return id;
  }

  test('stores no foreign address in a new profile, and soon a copy in our storage', async () => {
    const { google, github } = world.sandbox;
    const id = await newcomer('first');
    const before = await avatarOf(id);

    await copyWith(pictureFetch({ google, github }));

    const after = await avatarOf(id);
    const served = await fetch(world.server.url + after);
    expect(before).toBeNull();
    expect(after).toMatch(new RegExp(`^/storage/v1/object/public/avatars/${id}/\\d+$`));
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(await waiting()).toBe(0);
  });

  test('strips the location from the copied picture and makes the user its owner', async () => {
    const id = await newcomer('second');

    await copyWith(answering(200, await photographWithPlace(300, 200)));

    const served = await fetch(world.server.url + (await avatarOf(id)));
    expect(Buffer.from(await served.arrayBuffer()).includes('Telephone of Ada')).toBe(false);
    const [object] = await sql<{ owner_id: string }>('select owner_id from storage.objects where owner_id = $1::text', [
      id,
    ]);
    expect(object?.owner_id).toBe(id);
  });

  test('leaves a picture that the user has chosen meanwhile', async () => {
    const id = await newcomer('third');
    const own = `/storage/v1/object/public/avatars/${id}/own.webp`;
    await sql('update public.profiles set avatar_url = $2::text where id = $1::text::uuid', [id, own]);

    await copyWith(answering(200, await plainPicture('png', 20)));

    expect(await avatarOf(id)).toBe(own);
    expect(await sql('select 1 from storage.objects where owner_id = $1::text', [id])).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  test.each([
    ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><title>not found</title>')],
    ['a bomb of pixels', bombPng(30_000, 30_000)],
    ['nothing', Buffer.alloc(0)],
  ])('never stores %s, and does not request it again', async (what, body) => {
    const id = await newcomer(`bad-${what.replaceAll(' ', '-')}`);

    await copyWith(answering(200, body));

    expect(await avatarOf(id)).toBeNull();
    expect(await waiting()).toBe(0);
  });

  test('retries an unavailable provider later, five times in all', async () => {
    const id = await newcomer('patient');
    let requests = 0;
    const away: GuardedFetch = async () => {
      requests += 1;
      throw new Error('not reached');
    };

    await copyWith(away);
    const soonAfter = requests;
    await copyWith(away);
    const stillOnce = requests;
    for (let round = 0; round < 8; round += 1) {
      await makeAllDue();
      await copyWith(away);
    }

    expect([soonAfter, stillOnce, requests]).toEqual([1, 1, 5]);
    expect(await avatarOf(id)).toBeNull();
    expect(await waiting()).toBe(0);
  });

  test('gives up a private address immediately', async () => {
    const id = await newcomer('inside');
    await sql(`update private.provider_pictures set url = 'https://127.0.0.1/p.png' where user_id = $1::text::uuid`, [
      id,
    ]);

    await copyWith(pictureFetch({ google: null, github: null }));

    expect(await avatarOf(id)).toBeNull();
    expect(await waiting()).toBe(0);
  });

  test('never fetches a picture address that a user submits at sign-up', async () => {
    const data = { avatar_url: 'https://evil.example/p.png' };
    const { data: created } = await world.server
      .visitor()
      .auth.signUp({ email: 'writes@example.com', password: 'Password1', options: { data } });

    expect(await avatarOf(created.user?.id ?? '')).toBeNull();
    expect(await waiting()).toBe(0);
  });

  test('copies a picture within moments of a sign-in', async () => {
    const { google, github } = world.sandbox;
    const copying = await startProviderPictures({ ...depsWith(pictureFetch({ google, github })), pollMs: 3_600_000 });

    const id = await newcomer('awaited');

    await expect.poll(() => avatarOf(id)).not.toBeNull();
    await copying.close();
  });
});

test("requests a real provider's picture over https only, and a fake's only at its address", async () => {
  const sandboxProvider = { clientId: 'a', clientSecret: 'b', issuer: 'http://127.0.0.1:9/google' };
  const fetch = pictureFetch({ google: sandboxProvider, github: null });
  const signal = new AbortController().signal;
  const reasonOf = (url: string) =>
    fetch(url, { signal }).then(
      () => 'fetched',
      (error: { details?: { reason?: string } }) => error.details?.reason,
    );

  expect(await reasonOf('http://127.0.0.1:8/p.png')).toBe('not https');
  expect(await reasonOf('https://127.0.0.1/p.png')).toBe('private address');
  expect(await reasonOf('http://127.0.0.1:9/p.png')).toBe('not reached');
});
