/** The generator's settings: no inline script or style, nothing from another host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { DOCS_PATH } from '#domain/site/routes.ts';
import { slug } from './doc-links.ts';

interface DocsConfig {
  sidebar: DefaultTheme.SidebarItem[];
  /** Where the pages are. */
  folder: string;
}

type Markdown = Parameters<NonNullable<NonNullable<UserConfig['markdown']>['config']>>[0];

export function docsConfig({ sidebar, folder }: DocsConfig): UserConfig<DefaultTheme.Config> {
  return {
    title: 'Kat docs',
    description: 'How to start, use, run and change Kat.',
    lang: 'en',
    base: DOCS_PATH,
    cleanUrls: true,
    // The theme follows the rest of the site: /theme.js sets it before the first paint.
    appearance: false,
    // Written inline otherwise.
    metaChunk: true,
    head: [
      ['script', { src: '/theme.js' }],
      ['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }],
      ['meta', { name: 'theme-color', media: '(prefers-color-scheme: dark)', content: '#0b0d10' }],
      ['meta', { name: 'theme-color', media: '(prefers-color-scheme: light)', content: '#f6f7f9' }],
    ],
    transformHtml: withoutInlineParts,
    markdown: {
      html: false,
      linkify: false,
      attrs: { disable: true },
      anchor: { slugify: slug },
      highlight: plainCode,
      config: (md) => adaptMarkdown(md, folder),
    },
    themeConfig: {
      sidebar,
      outline: [2, 3],
      search: { provider: 'local' },
      docFooter: { prev: 'Previous page', next: 'Next page' },
      externalLinkIcon: false,
    },
    vite: {
      logLevel: 'warn',
      // The generator's compiler does not know the target in our tsconfig.json.
      esbuild: { target: 'es2022', tsconfigRaw: { compilerOptions: { target: 'es2022' } } },
      build: {
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 2000,
        target: 'es2022',
        modulePreload: { polyfill: false },
      },
    },
  };
}

/** The server's policy allows no inline style, and the theme's inline script only names the keys of a Mac. */
function withoutInlineParts(html: string): string {
  return html
    .replace(/<script id="check-mac-os">.*?<\/script>/s, '')
    .replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1');
}

/** Comments of commands are dimmed; nothing else is coloured. */
function plainCode(code: string, language: string): string {
  const text = escapeHtml(code.trimEnd());
  const isShell = ['sh', 'bash', 'shell'].includes(language);
  const lines = isShell ? text.replace(/(^|\s)(#.*)$/gm, '$1<span class="code-comment">$2</span>') : text;
  return `<pre v-pre tabindex="0"><code>${lines}</code></pre>`;
}

function adaptMarkdown(md: Markdown, folder: string): void {
  const { rules } = md.renderer;
  rules.text = (tokens, index) =>
    escapeHtml(tokens[index]?.content ?? '')
      // Vue would read it as an expression.
      .replaceAll('{{', '&#123;&#123;')
      // The only markup that pages use.
      .replaceAll(/&lt;a id=&quot;([\w-]+)&quot;&gt;&lt;\/a&gt;/g, '<a id="$1"></a>');
  for (const name of ['td_open', 'th_open'] as const) {
    rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      // A corner of a table that heads nothing.
      if (token?.tag === 'th' && tokens[index + 1]?.content === '') {
        token.tag = 'td';
        const close = tokens[index + 2];
        if (close) close.tag = 'td';
      }
      const style = token?.attrGet('style');
      if (token && style) {
        token.attrs = (token.attrs ?? []).filter(([key]) => key !== 'style');
        token.attrJoin('class', style.replace('text-align:', 'at-'));
      }
      return self.renderToken(tokens, index, options);
    };
  }
  // An option or a short name is not broken at its hyphens; a path is broken after a slash.
  rules.code_inline = (tokens, index) => {
    const words = escapeHtml(tokens[index]?.content ?? '').split(' ');
    const inPlaces = (word: string) =>
      word.includes('-') && word.length < 20
        ? `<span class="whole">${word}</span>`
        : word.replaceAll(/(?<=\w)\/(?=\w)/g, '/<wbr>');
    return `<code v-pre>${words.map(inPlaces).join(' ')}</code>`;
  };
  // Reached by the keyboard, because it scrolls sideways.
  rules.table_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('tabindex', '0');
    return self.renderToken(tokens, index, options);
  };
  md.core.ruler.push('stacked-tables', ({ tokens }) => markStackedTables(tokens));
  const image = rules.image;
  rules.image = (tokens, index, options, env, self) => {
    const source = tokens[index]?.attrGet('src') ?? '';
    if (source.startsWith('/pictures/diagrams/')) return inlineDiagram(join(folder, 'public', source));
    return image?.(tokens, index, options, env, self) ?? '';
  };
}

type Token = Parameters<NonNullable<Markdown['renderer']['rules']['text']>>[0][number];

/** On a phone, the cells of these tables are below each other, each with the name of its column. */
function markStackedTables(tokens: readonly Token[]): void {
  for (const [start, table] of tokens.entries()) {
    if (table.type !== 'table_open') continue;
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
    const inside = tokens.slice(start, end);
    const heads = inside.flatMap(({ type }, index) =>
      type === 'th_open' ? [{ name: plainText(inside[index + 1]), style: inside[index]?.attrGet('style') ?? '' }] : [],
    );
    // Numbers are compared down a column.
    if (heads.length < 3 || heads.some(({ style }) => style.includes('right'))) continue;
    table.attrJoin('class', 'stacked');
    let column = 0;
    for (const token of inside) {
      if (token.type === 'tr_open') column = 0;
      if (token.type !== 'td_open') continue;
      token.attrSet('data-column', heads[column]?.name ?? '');
      column += 1;
    }
  }
}

function plainText(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join('');
}

/** Drawn inside the page, so that it takes the page's colours. Its own colours are for places without a style sheet. */
function inlineDiagram(file: string): string {
  const svg = readFileSync(file, 'utf8').replace(/<style>.*?<\/style>/s, '');
  return `<span class="diagram" tabindex="0" role="group" aria-label="Diagram" v-pre>${svg.trim()}</span>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
