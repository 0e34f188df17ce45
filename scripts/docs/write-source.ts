/** Gathers the pages in one folder, with links between them, as the site's generator reads it. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withSiteLinks } from './doc-links.ts';
import { type DocPage, docSections, headingOf, readPage } from './doc-pages.ts';

const SITE_FOLDER = import.meta.dirname;
/** A folder of pages leads to its first page or its list. */
const FOLDER_PAGES: Readonly<Record<string, string>> = {
  docs: '/',
  'docs/decisions': '/decisions/by-subject',
  'docs/operating': '/guides/operate',
  'lab/figures': '/reference/performance',
};

/** @param root  the repository's folder @param folder  new, below the packages that the theme imports */
export function writeDocsSource(root: string, folder: string): void {
  const sections = docSections(root);
  const pages = sections.flatMap((section) => section.pages);
  const addresses = new Map(pages.map(({ file, path }) => [file, path === 'index' ? '/' : `/${path}`]));
  for (const page of pages) {
    const markdown = withSiteLinks(readPage(page, root), page.file, (target, { isImage }) => {
      if (isImage) return copyPicture(target.file, root, folder);
      const address = addresses.get(target.file) ?? FOLDER_PAGES[target.file];
      if (address === undefined) return null;
      return address + (target.anchor === '' ? '' : `#${target.anchor}`);
    });
    write(join(folder, `${page.path}.md`), withHead(page, markdown));
  }
  const sidebar = sections.map(({ title, pages: listed }, index) => ({
    text: title,
    collapsed: index >= 3,
    items: listed.map((page) => ({ text: titleOf(page, root), link: addresses.get(page.file) })),
  }));
  // Loaded by Node rather than by the generator's bundler, which does not know this version of the language.
  const config = JSON.stringify(pathToFileURL(join(SITE_FOLDER, 'docs-config.ts')).href);
  write(
    join(folder, '.vitepress/config.mjs'),
    `const file = ${config};\nconst { docsConfig } = await import(file);\nexport default docsConfig(${JSON.stringify({ sidebar, folder })});\n`,
  );
  const theme = JSON.stringify(join(SITE_FOLDER, 'theme/index.ts').replaceAll('\\', '/'));
  write(join(folder, '.vitepress/theme/index.mjs'), `export { default } from ${theme};\n`);
}

function titleOf(page: DocPage, root: string): string {
  return page.title ?? headingOf(readPage(page, root));
}

function withHead({ isUnsearched = false }: DocPage, markdown: string): string {
  return isUnsearched ? `---\nsearch: false\n---\n${markdown}` : markdown;
}

/** @returns its address, or null if there is no such picture */
function copyPicture(file: string, root: string, folder: string): string | null {
  if (!existsSync(join(root, file))) return null;
  const path = file.replace(/^docs\//, '');
  const copy = join(folder, 'public', path);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join(root, file), copy);
  return `/${path}`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
