import { expect, test } from 'vitest';
import { commentLines, scriptComments } from './comment-lines.ts';
import { documentLines } from './document-lines.ts';
import { findNameWord, nameFaults } from './name-words.ts';
import { findCopyWord, findPrivateWord, wordFaults } from './private-words.ts';
import { readSource } from './source-words.ts';
import { styleNames } from './style-names.ts';
import { titleFaults } from './test-titles.ts';

test('finds block, line and trailing comments with their lines', () => {
  const source = [
    '/** First. */',
    'const a = 1; // second',
    '/*',
    ' * third',
    ' */',
    "const url = 'https://example.com';",
    '  // fourth',
  ].join('\n');

  expect(commentLines(source)).toEqual([
    { line: 1, text: 'First.' },
    { line: 2, text: 'second' },
    { line: 4, text: 'third' },
    { line: 7, text: 'fourth' },
  ]);
});

test('finds comments in SQL and Python with their lines', () => {
  expect(scriptComments('select 1;\n-- first\nselect 2; -- second', '--')).toEqual([
    { line: 2, text: 'first' },
    { line: 3, text: 'second' },
  ]);
  expect(scriptComments('x = 1  # why', '#')).toEqual([{ line: 1, text: 'why' }]);
});

test.each([
  ['Nothing is told to the caller.', 'told'],
  ['Whoever asks gets it.', 'Whoever'],
  ['The record stands here.', 'stands'],
  ['All of them at once.', 'at once'],
])('finds the private word of %j', (text, word) => {
  expect(findPrivateWord(text)?.word).toBe(word);
});

test.each([
  'Returns the best ask.',
  'The name `told` is an identifier.',
  'A stand-alone process.',
  '@param asked the query',
  'The server replies "nobody is signed in".',
])('finds none in %j', (text) => {
  expect(findPrivateWord(text)).toBeNull();
});

const DOCUMENT = [
  '# What is told',
  '',
  'A plain line with `told`, “told” and',
  "'told in quotes' of the users' list.",
  '',
  '| door | `door` |',
  '|---|---|',
  '| [the door](door.md) | x |',
  '',
  '```',
  'told',
  '```',
  '',
  '- An item **stands** here.',
].join('\n');

test('reports the file, line, word and replacement of private words in the prose of a document', () => {
  expect(wordFaults('a.md', documentLines(DOCUMENT))).toEqual([
    expect.stringMatching(/^a\.md:1: 'told': write reported/),
    expect.stringMatching(/^a\.md:6: 'door': write gateway/),
    expect.stringMatching(/^a\.md:8: 'door': write gateway/),
    expect.stringMatching(/^a\.md:14: 'stands': write is/),
  ]);
});

test('reads code as one character, and an apostrophe as no quotation', () => {
  expect(documentLines("A `name` of the users' and the hosts' list.")).toEqual([
    { line: 1, text: "A x of the users' and the hosts' list." },
  ]);
});

test.each([
  ['The plan is kept.', 'kept'],
  ['They say "nobody".', 'nobody'],
  ['The browser asks itself.', 'asks'],
])('finds the private word of the copy %j', (text, word) => {
  expect(findCopyWord(text)?.word).toBe(word);
});

test.each([
  'Ask for a new link.',
  'Tell us what happened.',
  'Results can’t be told from luck.',
  'At one minute nobody beats the last price.',
])('finds none in the copy %j', (text) => {
  expect(findCopyWord(text)).toBeNull();
});

test.each([
  ['wasTold', 'told'],
  ['TELL_MS', 'tell'],
  ['isHTTPAsked', 'asked'],
  ['kept_at', 'kept'],
  ['standInUrl', 'stand in'],
  ['wordsOf', 'words of'],
  ['PLAN_WORDS', 'words'],
  ['askAgain', 'ask'],
  ['door-keeper.ts', 'door'],
  ['#saidAtMs', 'said'],
])('finds the wrong word of the name %j', (name, word) => {
  expect(findNameWord(name)?.word).toBe(word);
});

test.each(['bestAsk', 'askedge', 'keptless', 'words', 'standard', 'silent_ms', 'isToldier'])(
  'finds none in the name %j',
  (name) => {
    expect(findNameWord(name)).toBeNull();
  },
);

test('reports the file, line, name, word and replacement of names, and of the file itself', () => {
  expect(nameFaults('web/said.ts', [{ line: 7, text: 'isKept' }])).toEqual([
    "web/said.ts:1: 'said' in the name 'said.ts': write stated, described, message",
    "web/said.ts:7: 'kept' in the name 'isKept': write stored, cached, retained",
  ]);
});

const SOURCE = `import { one as two, three } from 'a b';
interface Four<T> { five: string; six(seven: number): T }
class Eight { #nine = 1; constructor(readonly ten: string) {} eleven() {} }
const { a: twelve, thirteen = 1, ...fourteen } = { fifteen: three.b, three };
for (const [sixteen] of used.c) try { used(sixteen) } catch (seventeen) {}
const eighteen = async (nineteen = 2) => (twenty: string): void => {};`;

test('reads every name that a file declares, and none that it uses', () => {
  const { names } = readSource('a.ts', SOURCE);

  expect(names.map(({ text }) => text).toSorted()).toEqual(
    'two Four five six seven Eight nine constructor ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
      .split(' ')
      .toSorted(),
  );
  expect(names.find(({ text }) => text === 'seventeen')).toEqual({ line: 5, text: 'seventeen' });
});

test('reads classes, custom properties and animations of a style sheet', () => {
  const css = '.card-told .b1:hover {\n  margin: 0.5em var(--gap);\n}\n@keyframes fade {';

  expect(styleNames(css)).toEqual([
    { line: 1, text: 'card-told' },
    { line: 1, text: 'b1' },
    { line: 2, text: 'gap' },
    { line: 4, text: 'fade' },
  ]);
  expect(nameFaults('a.css', styleNames(css))).toHaveLength(1);
});

const PAGE = `test('names a thing', () => {
  const page = <p title="A title" className="word">
    A text of <b>two lines</b>
    and {\`a \${b} template here\`}
  </p>;
  const query = sql\`kept in the database\`, plain = \`select kept from places\`;
  return html\`<p>A paragraph</p>\`;
});
describe.each([1])(\`a \${group} of tests\`, () => {});`;

test('reads texts of strings, templates and JSX, apart from SQL and from test titles', () => {
  const { texts, titles } = readSource('a.tsx', PAGE);

  expect(texts).toEqual([
    { line: 2, text: 'A title' },
    { line: 3, text: 'A text of' },
    { line: 3, text: 'two lines' },
    { line: 4, text: 'template here' },
    { line: 7, text: '<p>A paragraph</p>' },
  ]);
  expect(titles).toEqual([
    { line: 1, text: 'names a thing', kind: 'test' },
    { line: 9, text: 'a %s of tests', kind: 'describe' },
  ]);
});

test.each([
  'a forged webhook is rejected',
  'without a key nothing is sent',
  '%s: the page shows it',
  'what is unknown is left out',
])('finds no verb at the beginning of %j', (text) => {
  const titles = [{ line: 3, text, kind: 'test' as const }];

  expect(titleFaults('a.test.ts', titles)).toEqual([`a.test.ts:3: begin '${text}' with a verb in the present tense`]);
});

test.each(['rejects a forged webhook', '%s: shows the page', 'are refused', 'asserts nothing'])(
  'accepts the title %j',
  (text) => {
    expect(titleFaults('a.test.ts', [{ line: 3, text, kind: 'test' }])).toEqual([]);
  },
);

test('requires a thing in the title of a group', () => {
  expect(titleFaults('a.test.ts', [{ line: 3, text: 'a plan', kind: 'describe' }])).toEqual([]);
  expect(titleFaults('a.test.ts', [{ line: 3, text: 'without a plan', kind: 'describe' }])).toEqual([
    "a.test.ts:3: name the subject of the group 'without a plan'",
  ]);
});

test('allows a name in the one file that others read it from', () => {
  expect(findNameWord('told', 'server/alerts/open-alerts.ts')).toBeNull();
  expect(findNameWord('told', 'server/alerts/alert-store.ts')?.word).toBe('told');
});

test('refuses a file that does not parse', () => {
  expect(() => readSource('a.ts', 'const = 1;')).toThrow(/^a\.ts: /);
});
