import { expect, test } from 'vitest';
import { looseTexts, paintedTexts, type SourceFile } from './loose-text.ts';

const asFiles = (...parts: string[]): SourceFile[] => [
  { path: 'web/page.tsx', source: `${parts.join('\n')}` },
  {
    path: 'web/parts.tsx',
    source: `
      export function Maybe() { if (isOff) return null; return <i>on</i>; }
      export function Words() { return <>Some words</>; }
      export function Always() { return <i>on</i>; }
      export function Framed({ icon, children }) { return <p>{icon && <Icon />}{children}</p>; }
    `,
  },
];
const page = (jsx: string): SourceFile[] =>
  asFiles(
    "import { Always, Framed, Maybe, Words } from './parts.tsx';",
    `export function Page({ children }) { return ${jsx}; }`,
  );
const linesOf = (files: readonly SourceFile[]) => looseTexts(files).map(({ path, line }) => `${path}:${line}`);

test.each([
  ['a condition before a word', '<b>{isBusy && <Spinner />} Save</b>'],
  ['a condition after a word', '<b>Save{isNew && <i />}</b>'],
  ['one of two elements beside a word', '<b>{isUp ? <Up /> : <Down />}{change}</b>'],
  ['a list beside a word', '<b>{rows.map((row) => <i key={row} />)} rows</b>'],
  ['a word that comes and goes beside an element', "<b>{isOpen && 'open'}<i /></b>"],
  ['a word that comes and goes in a fragment', '<b>{isOpen && <>now <i /></>}</b>'],
  ['a word in a fragment of a list', '<b>{rows.map((row) => <>row <i /></>)}</b>'],
  ['a component that may render nothing', '<b><Maybe /> more</b>'],
  ['a component of words that comes and goes', '<b>{isOpen && <Words />}</b>'],
  ['a word for a component that renders it beside a condition', '<Framed>Save</Framed>'],
  ['an optional name', '<b>{name ?? <i />} has won</b>'],
])('refuses %s', (_what, jsx) => {
  expect(linesOf(page(jsx))).toEqual(['web/page.tsx:2']);
});

test.each([
  ['words alone', '<b>Save</b>'],
  ['alternative words', "<b>{isOpen ? 'Close' : 'Open'}</b>"],
  ['words that come and go alone in their element', "<b>{isOpen && 'open'}</b>"],
  ['an element that comes and goes alone', '<b>{isOpen && <i />}</b>'],
  ['a word in its own element', '<b>{isBusy && <Spinner />}<span>Save</span></b>'],
  ['words beside an element that stays', '<b>Read the <a href="/x">paper</a></b>'],
  ['words beside a component that stays', '<b>Now <Always /></b>'],
  ['white space', "<b>{isOpen && <i />}{' '}<i /></b>"],
  ['elements for a component that renders them beside a condition', '<Framed><i>Save</i></Framed>'],
  ['what its caller judges', '<div>{isOpen && <i />}{children}</div>'],
])('accepts %s', (_what, jsx) => {
  expect(linesOf(page(jsx))).toEqual([]);
});

test('names the line, also behind letters of several bytes', () => {
  const source = ['// „Größe“', 'export function Row() {', '  return <b>{is && <i />} x</b>;', '}'].join('\n');

  expect(linesOf([{ path: 'web/row.tsx', source }])).toEqual(['web/row.tsx:3']);
});

test('refuses text that is written into a node', () => {
  expect(
    paintedTexts([{ path: 'web/a.ts', source: 'const a = 1;\nplace.firstChild.nodeValue = text;' }]),
  ).toMatchObject([{ path: 'web/a.ts', line: 2 }]);
});
