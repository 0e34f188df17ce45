import { expect, test } from 'vitest';
import {
  headTags,
  inLoadingOrder,
  noscriptHtml,
  styleTags,
  withoutStyles,
  withScriptInside,
  withScriptsLater,
} from './document-head.ts';

const NOTHING = { preview: null, scripts: [], hasFile: () => false };
const PREVIEW = { file: 'previews/about.png', alt: 'About. Who makes “Kat”.' };

test('names a public page’s one address, and what a link to it shows', () => {
  const head = headTags({ ...NOTHING, pathname: '/about' });

  expect(head).toContain('<title>About – Kat</title>');
  expect(head).toContain('<link rel="canonical" href="https://origin.invalid/about">');
  expect(head).toContain('<meta property="og:url" content="https://origin.invalid/about">');
  expect(head).toContain('<meta name="twitter:card" content="summary">');
  expect(head).not.toContain('robots');
});

test.each(['/account/security', '/popout', '/404'])('hides %s from search engines, without an address', (pathname) => {
  const head = headTags({ ...NOTHING, pathname });

  expect(head).toContain('<meta name="robots" content="noindex">');
  expect(head).not.toMatch(/canonical|og:/);
});

test('names a page that needs scripts, and leads to one that does not', () => {
  const html = noscriptHtml('/auth/signin');

  expect(html).toContain('<h1>Sign In</h1>');
  expect(html).toContain('This page needs JavaScript.');
  expect(html).toContain('<a href="/">');
});

test('names a link’s picture by its absolute address, with its size and a description', () => {
  const head = headTags({ ...NOTHING, pathname: '/about', preview: PREVIEW });

  for (const tag of [
    '<meta property="og:image" content="https://origin.invalid/previews/about.png">',
    '<meta property="og:image:type" content="image/png">',
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    '<meta property="og:image:alt" content="About. Who makes “Kat”.">',
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta name="twitter:image:alt" content="About. Who makes “Kat”.">',
  ])
    expect(head).toContain(tag);
});

test('shows a picture of a sign-in page too, which stays hidden from search engines', () => {
  const head = headTags({ ...NOTHING, pathname: '/auth/signin', preview: PREVIEW });

  expect(head).toContain('<meta name="robots" content="noindex">');
  expect(head).toContain('<meta property="og:image" content="https://origin.invalid/previews/about.png">');
  expect(head).not.toContain('canonical');
});

test('names only icons that exist', () => {
  const head = headTags({ ...NOTHING, pathname: '/', hasFile: (name) => name === 'favicon.svg' });

  expect(head).toContain('href="/favicon.svg"');
  expect(head).not.toContain('favicon.ico');
});

test('requests what the page needs with the document', () => {
  const head = headTags({ ...NOTHING, pathname: '/', scripts: ['assets/a.js'] });

  expect(head).toContain('<link rel="modulepreload" crossorigin href="/assets/a.js">');
});

test('loads one style sheet, and only names its parts: browsers would fetch a disabled one too', () => {
  const tags = styleTags('assets/page-1.css', ['assets/a.css', 'assets/b.css']);

  expect(tags.match(/<link[^>]*>/g)).toEqual(['<link rel="stylesheet" crossorigin href="/assets/page-1.css">']);
  expect(tags).toContain('<meta name="styles" content="/assets/a.css /assets/b.css">');
  expect(
    withoutStyles(
      `<title>Kat</title>\n    <link rel="stylesheet" crossorigin href="/assets/a.css">\n    <script src="/theme.js"></script>`,
    ),
  ).toBe('<title>Kat</title>\n    <script src="/theme.js"></script>');
});

test('requests what draws a page before what hydrates it, each in its own order', () => {
  const link = (rel: string, file: string) => `<link rel="${rel}" crossorigin href="/assets/${file}">`;
  const main = '<script type="module" crossorigin src="/assets/main.js"></script>';
  const theme = '<script src="/theme.js"></script>';
  const head = [
    link('modulepreload', 'page.js'),
    theme,
    main,
    link('stylesheet', 'site.css'),
    link('preload', 'a.woff2'),
  ];
  const html = `<head>\n    <title>Kat</title>\n    ${head.join('\n    ')}\n    ${link('stylesheet', 'page.css')}\n  </head>\n<body></body>`;

  const tags = inLoadingOrder(html).match(/theme\.js|[a-z]+\.(?:css|woff2|js)|<title>|<body>/g);

  expect(tags).toEqual(['<title>', 'theme.js', 'site.css', 'page.css', 'a.woff2', 'page.js', 'main.js', '<body>']);
});

test('names the scripts that hydrate a drawn page, the main one first, and requests none of them itself', () => {
  const html = withScriptsLater(
    '<head><title>Kat</title><link rel="modulepreload" crossorigin href="/assets/a.js"><script src="/theme.js"></script><script type="module" crossorigin src="/assets/main.js"></script></head><body></body>',
  );

  expect(html).toContain('<meta name="scripts" content="/assets/main.js /assets/a.js">');
  expect(html.indexOf('name="scripts"')).toBeLessThan(html.indexOf('/theme.js'));
  expect(html.match(/modulepreload|type="module"/)).toBeNull();
});

test('puts the script into the document in place of its file, behind all that it reads', () => {
  const html = withScriptInside('<head><meta name="scripts"><script src="/theme.js"></script></head>', 'f("$&")');

  expect(html).toBe('<head><meta name="scripts"><script>f("$&")</script></head>');
});

test('fails the build for a script that would end its own tag, or a document without a place for it', () => {
  expect(() => withScriptInside('<script src="/theme.js"></script>', 'f("</SCRIPT>")')).toThrow('not safe to inline');
  expect(() => withScriptInside('<head></head>', 'f()')).toThrow('lacks');
});
