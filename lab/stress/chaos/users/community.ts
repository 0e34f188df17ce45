/** An admin who posts and deletes news, and readers who like them. */
import * as z from 'zod/mini';
import { pick } from '../../../../tests/support/billing-model/person.ts';
import type { Answered } from '../history/recorder.ts';
import { type Act, type ActorContext, toAnswered } from './actor.ts';
import { isTaken, type SiteUser } from './site.ts';

const postsSchema = z.array(z.object({ id: z.string(), content: z.string() }));
const likesSchema = z.array(z.object({ post_id: z.string() }));

/** What readers have seen, by text: ids of posts, which readers need for their likes. */
export type KnownPosts = Map<string, string>;

/** Readers see a post from its time on, also while the server's clock is an hour behind. */
const LARGEST_STEP_MS = 2 * 3_600_000;

export function posterActs(context: ActorContext, admin: SiteUser, posts: KnownPosts): Act[] {
  const { site, recorder, random } = context;
  let count = 0;
  return [
    [
      3,
      () => {
        count += 1;
        const text = `News ${count}`;
        const publishedAt = new Date(Date.now() - LARGEST_STEP_MS).toISOString();
        const body = { content: text, author_id: admin.id, published_at: publishedAt };
        return recorder.call(admin.email, { kind: 'post', text }, async () =>
          toAnswered(await site.request('/rest/v1/changelog_posts', { user: admin, body })),
        );
      },
    ],
    [
      1,
      async () => {
        if (posts.size === 0) return;
        const [text, id] = pick(random, [...posts]);
        await recorder.call(admin.email, { kind: 'delete-post', text }, async () =>
          toAnswered(await site.request(`/rest/v1/changelog_posts?id=eq.${id}`, { user: admin, method: 'DELETE' })),
        );
      },
    ],
    [3, () => readPosts(context, admin, posts)],
  ];
}

export function likeActs(context: ActorContext, user: SiteUser, posts: KnownPosts): Act[] {
  const { site, recorder, random } = context;
  const one = (): readonly [string, string] | null => (posts.size === 0 ? null : pick(random, [...posts]));
  return [
    [
      2,
      async () => {
        const chosen = one();
        if (chosen === null) return;
        const body = { post_id: chosen[1], user_id: user.id };
        await recorder.call(user.email, { kind: 'like', text: chosen[0] }, async () =>
          toAnswered(await site.request('/rest/v1/changelog_post_likes', { user, body })),
        );
      },
    ],
    [
      1,
      async () => {
        const chosen = one();
        if (chosen === null) return;
        const path = `/rest/v1/changelog_post_likes?post_id=eq.${chosen[1]}&user_id=eq.${user.id}`;
        await recorder.call(user.email, { kind: 'unlike', text: chosen[0] }, async () =>
          toAnswered(await site.request(path, { user, method: 'DELETE' })),
        );
      },
    ],
    [2, () => readLikes(context, user, posts)],
    [2, () => readPosts(context, user, posts)],
  ];
}

export function readPosts(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  user: SiteUser,
  posts: KnownPosts,
): Promise<Answered> {
  return recorder.call(user.email, { kind: 'read-posts' }, async () => {
    const answer = await site.request('/rest/v1/changelog_posts?select=id,content', { user });
    if (!isTaken(answer)) return toAnswered(answer);
    const rows = postsSchema.parse(answer.body);
    for (const { id, content } of rows) posts.set(content, id);
    return { outcome: 'ok', answer: { texts: rows.map(({ content }) => content) } };
  });
}

/** A deleted post takes its likes with it, so only likes of posts that are still there are read. */
export function readLikes(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  user: SiteUser,
  posts: KnownPosts,
): Promise<Answered> {
  return recorder.call(user.email, { kind: 'read-likes' }, async () => {
    const answer = await site.request(`/rest/v1/changelog_post_likes?select=post_id&user_id=eq.${user.id}`, { user });
    if (!isTaken(answer)) return toAnswered(answer);
    const texts = new Map([...posts].map(([text, id]) => [id, text]));
    const ids = likesSchema.parse(answer.body).map(({ post_id }) => post_id);
    return { outcome: 'ok', answer: { texts: ids.flatMap((id) => texts.get(id) ?? []) } };
  });
}
