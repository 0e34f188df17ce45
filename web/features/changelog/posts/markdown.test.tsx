/** Hostile Markdown: nothing runs, nothing leads astray, nothing takes long. */
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

function show(content: string): HTMLElement {
  const { container } = render(
    <MemoryRouter>
      <Markdown content={content} />
    </MemoryRouter>,
  );
  return container;
}

const SAFE_TAGS = /^(DIV|SPAN|P|BR|HR|STRONG|EM|CODE|PRE|BLOCKQUOTE|A|UL|OL|LI|H3|H4|H5|H6|SVG|PATH)$/i;
const SAFE_ATTRIBUTES =
  /^(class|dir|href|rel|target|start|tabindex|title|aria-hidden|xmlns|width|height|viewBox|fill|stroke.*|d|data-discover)$/;

/** Every element and attribute that came out of it is one of those that a post needs. */
function expectHarmless(container: HTMLElement): void {
  for (const element of container.querySelectorAll('*')) {
    expect(element.tagName).toMatch(SAFE_TAGS);
    for (const { name, value } of element.attributes) {
      expect(`${element.tagName} ${name}`).toMatch(new RegExp(` ${SAFE_ATTRIBUTES.source.slice(1)}`));
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:|\/)/);
    }
  }
}

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick="alert(1)">b</b> <iframe src="javascript:alert(1)"></iframe>',
  '<svg><script>alert(1)</script></svg>',
  '<!-- a comment --><style>*{display:none}</style>',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '\u0000<scr\u0000ipt>alert(1)</scr\u0000ipt>\ufffd\ud800',
])('shows HTML as it was written: %s', (content) => {
  const container = show(content);

  expectHarmless(container);
  expect(container.textContent).toContain('<');
});

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](&#x6A;avascript&colon;alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](%6Aavascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](blob:https://kat.test/1)',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '[![x](data:image/svg+xml,<svg/onload=alert(1)>)](javascript:alert(1))',
])('renders an address that could run or reach something as text: %s', (content) => {
  const container = show(content);

  expectHarmless(container);
  for (const link of container.querySelectorAll('a')) expect(link.protocol).toMatch(/^(https?|mailto):$/);
  expect(container.querySelector('img')).toBeNull();
});

test('opens links elsewhere in a separate tab that learns nothing, but not email and our pages', () => {
  const container = show('[a](https://a.example/b) <mailto:ada@example.com> [c](/gallery?x=1#y)');
  const [elsewhere, mail, own] = container.querySelectorAll('a');

  expect(elsewhere?.getAttribute('href')).toBe('https://a.example/b');
  expect([elsewhere?.rel, elsewhere?.target]).toEqual(['noopener noreferrer', '_blank']);
  expect(mail?.getAttribute('href')).toBe('mailto:ada@example.com');
  expect([own?.getAttribute('href'), own?.target]).toEqual(['/gallery?x=1#y', '']);
});

test('opens a page of ours within the site, but not a file of ours', () => {
  const container = show('[page](/gallery) [file](/change-log.atom)');
  const [page, file] = container.querySelectorAll('a');

  const within: boolean[] = [];
  const over = new AbortController();
  const onClick = (event: Event) => {
    within.push(event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener('click', onClick, { signal: over.signal });
  page?.click();
  file?.click();
  over.abort();

  expect(within).toEqual([true, false]);
});

test('starts headings below those of the page, and replaces pictures by their description', () => {
  const container = show('# One\n\n## Two\n\n### Three\n\n#### Four\n\n![A chart](https://a.example/x.png) ![](b.png)');

  expect([...container.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((h) => `${h.tagName} ${h.textContent}`)).toEqual([
    'H3 One',
    'H4 Two',
    'H5 Three',
    'H6 Four',
  ]);
  expect(container.textContent).toContain('[Picture: A chart] [Picture: no description]');
});

test.each([
  ['## One\n\n#### Two', 'H3 One, H4 Two'],
  ['# One\n\n### Two\n\n## Three\n\n> #### Four', 'H3 One, H4 Two, H4 Three, H5 Four'],
])('skips no level of headings: %j', (content, expected) => {
  const headings = [...show(content).querySelectorAll('h3,h4,h5,h6')];

  expect(headings.map((h) => `${h.tagName} ${h.textContent}`).join(', ')).toBe(expected);
});

const LENGTH = 20_000;
const repeat = (text: string, length = LENGTH) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

test.each([
  ['emphasis in emphasis', repeat('*a ', LENGTH / 2) + repeat(' a*', LENGTH / 2)],
  ['as much of it as is read', '*a '.repeat(399) + ' a*'.repeat(399)],
  ['marks in turn', repeat('*_')],
  ['quotes in quotes', repeat('> ')],
  ['lists in lists', repeat('1. ')],
  ['lists in lists, line by line', Array.from({ length: 190 }, (_, i) => `${' '.repeat(i)}- a\n`).join('')],
  ['open brackets', repeat('[')],
  ['open tags', repeat('<a ')],
  ['headings', repeat('a\n=\n')],
  ['references', repeat('[a][b] ')],
  ['one word', repeat('x')],
])('shows twenty thousand characters of %s within seconds, and no deeper than a page can be', (_what, content) => {
  const startedMs = performance.now();
  const container = show(content);

  // Without bounds some of these take a minute, and others more depth than there is.
  expect(performance.now() - startedMs).toBeLessThan(8000);
  expectHarmless(container);
  expect(depthOf(container)).toBeLessThan(60);
  expect(container.textContent?.length).toBeGreaterThan(100);
});

function depthOf(element: Element): number {
  let deepest = 0;
  for (const leaf of element.querySelectorAll(':not(:has(*))')) {
    let depth = 0;
    for (let at: Element | null = leaf; at !== element && at !== null; at = at.parentElement) depth += 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
