/** Every page of the documentation site: its source in the repository, its address under /docs, its section. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readApiPage } from './read-api-page.ts';
import { commandsPage, metricsPage, settingsPage } from './reference-pages.ts';

export interface DocPage {
  /** Path of the source from the repository's folder. */
  file: string;
  /** Address under /docs/ without an ending. */
  path: string;
  /** In the sidebar; default: the page's first heading. */
  title?: string;
  /** Creates the page from its source; default: the source is the page. */
  render?: (source: string) => string;
  /** A list that would crowd out other results of the search. */
  isUnsearched?: boolean;
}

export interface DocSection {
  title: string;
  pages: readonly DocPage[];
}

const GUIDES: readonly DocPage[] = [
  { file: 'docs/README.md', path: 'index', title: 'Overview' },
  { file: 'README.md', path: 'guides/about', title: 'About Kat' },
  { file: 'docs/start.md', path: 'guides/start', title: 'Start' },
  { file: 'docs/use.md', path: 'guides/use', title: 'Use' },
  {
    file: 'docs/telegram-and-discord.md',
    path: 'guides/telegram-and-discord',
    title: 'Telegram and Discord',
  },
  { file: 'docs/webhooks.md', path: 'guides/webhooks', title: 'Webhooks' },
  { file: 'docs/programs.md', path: 'guides/programs', title: 'For programs' },
  { file: 'docs/operating/README.md', path: 'guides/operate', title: 'Operate' },
  { file: 'CONTRIBUTING.md', path: 'guides/contribute', title: 'Contribute' },
  { file: 'docs/testing.md', path: 'guides/testing', title: 'Test' },
  { file: 'lab/training/README.md', path: 'guides/train', title: 'Train a model' },
];

const REFERENCE: readonly DocPage[] = [
  { file: 'docs/http-api.md', path: 'reference/http-api', title: 'HTTP interface' },
  {
    file: 'server/programs/read-api/api-routes.ts',
    path: 'reference/read-api',
    title: 'Read API',
    render: readApiPage,
  },
  { file: '.env.example', path: 'reference/settings', title: 'Settings', render: settingsPage },
  { file: 'docs/data-model.md', path: 'reference/data-model', title: 'Data model' },
  {
    file: 'server/operations/metric-definitions.ts',
    path: 'reference/metrics',
    title: 'Metrics',
    render: metricsPage,
  },
  { file: 'scripts/commands.mjs', path: 'reference/commands', title: 'Commands', render: commandsPage },
  { file: 'docs/payments-sandbox.md', path: 'reference/payments-sandbox', title: 'Payment sandbox' },
  { file: 'docs/status.md', path: 'reference/status', title: 'Status' },
  { file: 'docs/performance.md', path: 'reference/performance', title: 'Performance' },
  { file: 'docs/requirements.md', path: 'reference/requirements', title: 'Requirements', isUnsearched: true },
  { file: 'docs/licences.md', path: 'reference/licences', title: 'Licences', isUnsearched: true },
  { file: 'CHANGELOG.md', path: 'reference/changes', title: 'Changes' },
];

const EXPLANATIONS: readonly DocPage[] = [
  { file: 'docs/architecture.md', path: 'explanations/architecture', title: 'Architecture' },
  { file: 'docs/models.md', path: 'explanations/models', title: 'Models' },
  { file: 'lab/measuring.md', path: 'explanations/measuring', title: 'How models are measured' },
  { file: 'docs/record.md', path: 'explanations/record', title: 'The public record' },
  { file: 'docs/billing.md', path: 'explanations/billing', title: 'Billing' },
  { file: 'SECURITY.md', path: 'explanations/security', title: 'Security' },
  { file: 'docs/threat-model.md', path: 'explanations/threat-model', title: 'Threat model' },
  { file: 'docs/asvs.md', path: 'explanations/asvs', title: 'ASVS' },
];

/** Linked from the pages above. */
const FOLDERS = ['domain', 'server', 'web', 'sandbox', 'supabase', 'scripts', 'tests', 'lab', 'packages'];
const CARDS = ['bobcat', 'panther', 'lion'];

/** @param root  the repository's folder */
export function docSections(root: string): DocSection[] {
  const pagesIn = (folder: string, path: string): DocPage[] =>
    globSync(`${folder}/*.md`, { cwd: root, exclude: ['**/README.md'] })
      .sort()
      .map((file) => ({ file, path: `${path}/${basename(file, '.md')}` }));
  return [
    { title: 'Guides', pages: GUIDES },
    { title: 'Reference', pages: REFERENCE },
    { title: 'Explanations', pages: EXPLANATIONS },
    { title: 'Operate', pages: pagesIn('docs/operating', 'operate') },
    { title: 'Measured', pages: pagesIn('lab/figures', 'measured') },
    {
      title: 'Model cards',
      pages: [
        ...CARDS.map((name) => ({ file: `models/${name}/MODEL-CARD.md`, path: `models/${name}` })),
        { file: 'models/baseline/README.md', path: 'models/baseline', title: 'Baseline' },
      ],
    },
    {
      title: 'Folders of the code',
      pages: FOLDERS.map((name) => ({ file: `${name}/README.md`, path: `code/${name}`, title: `${name}/` })),
    },
    {
      title: 'Decisions',
      pages: [
        { file: 'docs/decisions/README.md', path: 'decisions/by-subject', title: 'By subject' },
        ...pagesIn('docs/decisions', 'decisions'),
      ],
    },
  ];
}

/** The page as Markdown. @throws Error if its source is missing */
export function readPage(page: DocPage, root: string): string {
  const source = readFileSync(join(root, page.file), 'utf8');
  return page.render?.(source) ?? source;
}

/** The text of a page's first heading, without its marks. */
export function headingOf(markdown: string): string {
  return (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll('`', '');
}
