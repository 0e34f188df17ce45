import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { NEWS_CATEGORIES } from '#domain/community/news.ts';
import { type SessionUser, useSession } from '../../session/session.ts';
import { type Article, fetchArticles, fetchHeadlines } from './news-api.ts';
import { NewsList } from './news-list.tsx';

vi.mock('./news-api.ts', () => ({ fetchHeadlines: vi.fn(), fetchArticles: vi.fn() }));
vi.mock('../../session/session.ts', () => ({ useSession: vi.fn() }));
vi.mock('../../session/community-kind.ts', () => ({ useCommunityKind: () => 'simulated' }));
const fetching = vi.mocked(fetchArticles);

const ADA: SessionUser = {
  id: 'u1',
  email: 'ada@example.com',
  emailConfirmed: true,
  fullName: null,
  createdAt: '2026-01-02T00:00:00Z',
};

beforeEach(() => {
  sessionOf(ADA);
  fetching.mockReset().mockResolvedValue(articles(12));
  vi.mocked(fetchHeadlines).mockReset();
});

function sessionOf(user: SessionUser | null, initialized = true) {
  vi.mocked(useSession).mockReturnValue({
    user,
    initialized,
    held: null,
    needsSecondFactor: false,
    signOut: async () => undefined,
  });
}

function anArticle(n: number, change: Partial<Article> = {}): Article {
  return {
    id: `a${n}`,
    title: `Article ${n}`,
    category: NEWS_CATEGORIES[n % 2 === 0 ? 0 : 5] ?? 'Markets',
    url: `https://news.example/${n}`,
    site: 'Sample Wire',
    publishedAt: new Date(Date.now() - n * 3_600_000).toISOString(),
    imagePath: `/news/images/a${n}`,
    summary: `Summary ${n}`,
    ...change,
  };
}
const articles = (count: number) => Array.from({ length: count }, (_, n) => anArticle(n));

function show(path = '/kat') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <NewsList />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return within(screen.getByRole('region', { name: 'Current News' }));
}
type Panel = ReturnType<typeof show>;
const titles = (panel: Panel) => panel.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const more = (panel: Panel) => panel.queryByRole('button', { name: 'Load More News' });

test('says that it loads, then four articles with all there is of them', async () => {
  const panel = show();
  expect(panel.getByRole('status').textContent).toBe('Loading news...');

  const link = await panel.findByRole('link', { name: 'Article 1' });

  expect(titles(panel)).toEqual(['Article 0', 'Article 1', 'Article 2', 'Article 3']);
  expect(link.getAttribute('href')).toBe('https://news.example/1');
  const card = within(link.closest('li') ?? expect.fail('no card'));
  for (const words of ['Banking', 'Sample Wire', '1h ago', 'Summary 1']) expect(card.getByText(words)).toBeDefined();
  const picture = link.closest('li')?.querySelector('img');
  expect([picture?.getAttribute('src'), picture?.alt]).toEqual(['/news/images/a1', '']);
  expect(panel.getByText('simulated')).toBeDefined();
});

test('each click adds three, up to twelve; the keyboard stays in the list when the button goes', async () => {
  const panel = show();
  await panel.findByText('Article 0');
  const counts: number[] = [];

  for (let button = more(panel); button !== null; button = more(panel)) {
    await userEvent.click(button);
    counts.push(titles(panel).length);
  }

  expect(counts).toEqual([7, 10, 12]);
  expect(document.activeElement?.textContent).toContain('Article 11');
});

test.each([4, 1])('with %d articles there is nothing to load', async (count) => {
  fetching.mockResolvedValue(articles(count));
  const panel = show();
  await panel.findByText('Article 0');

  expect(titles(panel)).toHaveLength(count);
  expect(more(panel)).toBeNull();
});

test('a category shows its articles alone, four at first, and All brings the others back', async () => {
  const panel = show();
  await panel.findByText('Article 0');
  const categories = within(panel.getByRole('group', { name: 'Category' }));
  expect(categories.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'All',
    'Bitcoin',
    'Banking',
  ]);

  await userEvent.click(categories.getByRole('button', { name: 'Banking' }));

  expect(titles(panel)).toEqual(['Article 1', 'Article 3', 'Article 5', 'Article 7']);
  expect(categories.getByRole('button', { pressed: true }).textContent).toBe('Banking');
  await userEvent.click(more(panel) ?? expect.fail('nothing to load'));
  expect(titles(panel)).toHaveLength(6);
  await userEvent.click(categories.getByRole('button', { name: 'All' }));
  expect(titles(panel)).toHaveLength(4);
});

test('an article without a picture, and one whose picture breaks, have ours', async () => {
  fetching.mockResolvedValue([anArticle(0, { imagePath: null }), anArticle(1)]);
  const panel = show();
  const broken = (await panel.findByText('Article 1')).closest('li')?.querySelector('img') ?? expect.fail('no picture');
  expect(document.querySelectorAll('li img')).toHaveLength(1);

  fireEvent.error(broken);

  expect(document.querySelectorAll('li img')).toHaveLength(0);
  expect(document.querySelectorAll('li svg')).toHaveLength(2);
});

test('what is unknown of an article is left out, and markup is words', async () => {
  const title = '<script>alert(1)</script>';
  fetching.mockResolvedValue([anArticle(0, { title, url: null, site: null, publishedAt: null, summary: null })]);
  const panel = show();

  const heading = await panel.findByRole('heading', { level: 3, name: title });

  expect(heading.querySelector('script, a')).toBeNull();
  expect(document.querySelector('time')).toBeNull();
  expect(document.body.textContent).not.toMatch(/null|undefined/);
});

test('none are said to be none', async () => {
  fetching.mockResolvedValue([]);

  expect(await show().findByText('No news data available')).toBeDefined();
});

test('news that fail are said to be none, until Retry', async () => {
  fetching.mockRejectedValueOnce(new Error('away'));
  const panel = show();
  expect(await panel.findByText('No news data available')).toBeDefined();

  await userEvent.click(panel.getByRole('button', { name: 'Retry' }));

  expect(await panel.findByText('Article 0')).toBeDefined();
});

test.each([
  ['/kat', '%2Fkat'],
  ['/dashboard', '%2Fdashboard'],
])('visitors of %s see a locked preview of samples and the way in, and no article is asked for', (path, next) => {
  sessionOf(null);
  const panel = show(path);

  expect(panel.getByText('Sign in to view live crypto news for free')).toBeDefined();
  const links = panel.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([`/auth/signin?next=${next}`, `/auth/signup?next=${next}`]);
  const preview = document.querySelector('[aria-hidden="true"][inert]');
  expect(preview?.querySelectorAll('li')).toHaveLength(4);
  expect(preview?.textContent).toMatch(/^Sample/);
  expect(preview?.querySelector('a, button, img')).toBeNull();
  expect(titles(panel)).toEqual([]);
  expect(fetching).not.toHaveBeenCalled();
});

test('nothing is asked for, and no lock is shown, while it is not known who is here', () => {
  sessionOf(null, false);
  const panel = show();

  expect(panel.getByRole('status').textContent).toBe('Loading news...');
  expect(panel.queryByText(/Sign in/)).toBeNull();
  expect(fetching).not.toHaveBeenCalled();
});
