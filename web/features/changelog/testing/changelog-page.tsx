/** The change log in a test: a fake backend with posts, likes and the seen state, and its user. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import type { ChangelogPost } from '#domain/community/changelog.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { ChangeLog } from '../posts/change-log.tsx';

export const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY_MS = 86_400_000;

/** The n-th newest, published n days ago. */
export function aPost(n: number, change: Partial<ChangelogPost> = {}): ChangelogPost {
  const time = new Date(NOW - n * DAY_MS).toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    content: `Post **number ${n}**`,
    author_id: USER.id,
    created_at: time,
    updated_at: time,
    published_at: time,
    ...change,
  };
}

export interface World extends FakeBackend {
  posts: ChangelogPost[];
  likes: { post_id: string; user_id: string }[];
}

type Who = 'visitor' | 'user' | 'admin';

export function aWorld(who: Who, posts: ChangelogPost[] = [aPost(1), aPost(2)]): World {
  const backend = fakeBackend();
  const world: World = Object.assign(backend, { posts, likes: [] });
  if (who !== 'visitor') storeSession();
  backend.on('GET /rest/v1/profiles', () =>
    json({ id: USER.id, role: who === 'admin' ? 'admin' : 'user', full_name: 'Ada Lovelace', avatar_url: null }),
  );
  backend.on('GET /rest/v1/changelog_posts', ({ search }) => {
    const query = new URLSearchParams(search);
    const from = Number(query.get('offset') ?? 0);
    const rows = world.posts.slice(from, from + Number(query.get('limit') ?? 1000));
    return answer(rows, from, world.posts.length);
  });
  backend.on('GET /rest/v1/changelog_post_likes', () => {
    const own = world.likes.filter(({ user_id }) => user_id === USER.id);
    return answer(own, 0, own.length);
  });
  backend.on('POST /rest/v1/rpc/changelog_like_counts', () =>
    json(
      world.posts.map(({ id }) => ({ post_id: id, likes: world.likes.filter(({ post_id }) => post_id === id).length })),
    ),
  );
  backend.on('POST /rest/v1/changelog_post_likes', () => new Response(null, { status: 201 }));
  backend.on('DELETE /rest/v1/changelog_post_likes', () => new Response(null, { status: 204 }));
  backend.on('POST /rest/v1/user_changelog_state', () => new Response(null, { status: 201 }));
  return world;
}

function answer(rows: unknown[], from: number, total: number): Response {
  return Response.json(rows, { headers: { 'content-range': `${from}-${from + rows.length - 1}/${total}` } });
}

export function showChangeLog() {
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <ChangeLog />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
