import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession } from '../../platform/testing/fake-backend.ts';
import { signedIn } from '../../session/testing/signed-in.ts';
import { NewsList } from './news-list.tsx';

const PATH = '/rest/v1/news_articles';
let backend: FakeBackend;
const answer = (articles: object[]) => backend.on(`GET ${PATH}`, () => json(articles));

beforeEach(() => {
  backend = fakeBackend();
  answer(articles(12));
});

/** The title puts it into a category: Bitcoin for even numbers, Banking for odd ones. */
function anArticle(n: number, change: object = {}) {
  return {
    id: `a${n}`,
    title: `${n % 2 === 0 ? 'Bitcoin' : 'Bank'} ${n}`,
    url: `https://news.example/${n}`,
    site: 'Sample Wire',
    published_at: new Date(Date.now() - n * 3_600_000).toISOString(),
    image_url: `/news/images/a${n}`,
    body: `Summary ${n}`,
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
async function showSignedIn() {
  await signedIn();
  return show();
}
const titles = (panel: Panel) => panel.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const more = (panel: Panel) => panel.queryByRole('button', { name: 'Load More News' });

test('shows that it loads, then four articles with all there is of them', async () => {
  const panel = await showSignedIn();
  expect(panel.getByRole('status').textContent).toBe('Loading news...');

  const link = await panel.findByRole('link', { name: 'Bank 1' });

  expect(titles(panel)).toEqual(['Bitcoin 0', 'Bank 1', 'Bitcoin 2', 'Bank 3']);
  expect(link.getAttribute('href')).toBe('https://news.example/1');
  const card = within(link.closest('li') ?? expect.fail('no card'));
  for (const text of ['Banking', 'Sample Wire', '1h ago', 'Summary 1']) expect(card.getByText(text)).toBeDefined();
  const picture = link.closest('li')?.querySelector('img');
  expect([picture?.getAttribute('src'), picture?.alt]).toEqual(['/news/images/a1', '']);
  expect(panel.getByText('simulated')).toBeDefined();
});

test('adds three on each click, up to twelve, and keeps the keyboard in the list when the button disappears', async () => {
  const panel = await showSignedIn();
  await panel.findByText('Bitcoin 0');
  const counts: number[] = [];

  for (let button = more(panel); button !== null; button = more(panel)) {
    await userEvent.click(button);
    counts.push(titles(panel).length);
  }

  expect(counts).toEqual([7, 10, 12]);
  expect(document.activeElement?.textContent).toContain('Bank 11');
});

test.each([4, 1])('offers nothing to load with %d articles', async (count) => {
  answer(articles(count));
  const panel = await showSignedIn();
  await panel.findByText('Bitcoin 0');

  expect(titles(panel)).toHaveLength(count);
  expect(more(panel)).toBeNull();
});

test('shows a category’s articles alone, four at first, and the others by All', async () => {
  const panel = await showSignedIn();
  await panel.findByText('Bitcoin 0');
  const categories = within(panel.getByRole('group', { name: 'Category' }));
  expect(categories.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'All',
    'Bitcoin',
    'Banking',
  ]);

  await userEvent.click(categories.getByRole('button', { name: 'Banking' }));

  expect(titles(panel)).toEqual(['Bank 1', 'Bank 3', 'Bank 5', 'Bank 7']);
  expect(categories.getByRole('button', { pressed: true }).textContent).toBe('Banking');
  await userEvent.click(more(panel) ?? expect.fail('nothing to load'));
  expect(titles(panel)).toHaveLength(6);
  await userEvent.click(categories.getByRole('button', { name: 'All' }));
  expect(titles(panel)).toHaveLength(4);
});

test('shows our picture for an article without one, or whose picture breaks', async () => {
  answer([anArticle(0, { image_url: null }), anArticle(1)]);
  const panel = await showSignedIn();
  const broken = (await panel.findByText('Bank 1')).closest('li')?.querySelector('img') ?? expect.fail('no picture');
  expect(document.querySelectorAll('li img')).toHaveLength(1);

  fireEvent.error(broken);

  expect(document.querySelectorAll('li img')).toHaveLength(0);
  expect(document.querySelectorAll('li svg')).toHaveLength(2);
});

test('leaves out what is unknown of an article, and renders markup as text', async () => {
  const title = '<script>alert(1)</script>';
  answer([anArticle(0, { title, url: null, site: null, published_at: null, body: null })]);
  const panel = await showSignedIn();

  const heading = await panel.findByRole('heading', { level: 3, name: title });

  expect(heading.querySelector('script, a')).toBeNull();
  expect(document.querySelector('time')).toBeNull();
  expect(document.body.textContent).not.toMatch(/null|undefined/);
});

test('says that there are none', async () => {
  answer([]);

  expect(await (await showSignedIn()).findByText('No news data available')).toBeDefined();
});

test('says that there are none when news fail, until Retry', async () => {
  backend.on(`GET ${PATH}`, () => json({ message: 'away' }, 500));
  const panel = await showSignedIn();
  expect(await panel.findByText('No news data available')).toBeDefined();

  answer(articles(12));
  await userEvent.click(panel.getByRole('button', { name: 'Retry' }));

  expect(await panel.findByText('Bitcoin 0')).toBeDefined();
});

test.each([
  ['/kat', '%2Fkat'],
  ['/dashboard', '%2Fdashboard'],
])('shows visitors of %s a locked preview of samples and the way in, and requests no article', async (path, next) => {
  const panel = show(path);

  expect(await panel.findByText('Sign in to view live crypto news for free')).toBeDefined();
  const links = panel.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([`/auth/signin?next=${next}`, `/auth/signup?next=${next}`]);
  const preview = document.querySelector('[aria-hidden="true"][inert]');
  expect(preview?.querySelectorAll('li')).toHaveLength(4);
  expect(preview?.textContent).toMatch(/^Sample/);
  expect(preview?.querySelector('a, button, img')).toBeNull();
  expect(titles(panel)).toEqual([]);
  expect(backend.to(PATH)).toEqual([]);
});

test('requests nothing, and shows no lock, while it is not known who is here', () => {
  backend.on('GET /config.json', () => new Promise(() => {}));
  storeSession();
  const panel = show();

  expect(panel.getByRole('status').textContent).toBe('Loading news...');
  expect(panel.queryByText(/Sign in/)).toBeNull();
  expect(backend.to(PATH)).toEqual([]);
});
