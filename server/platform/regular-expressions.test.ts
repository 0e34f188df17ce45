/**
 * Checks that no regular expression of the server takes long on any text. Each one in the sources runs over
 * repetitions of every kind of character that it mentions. An expression with excessive backtracking takes quadratic
 * time or far more.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const LIMIT_MS = 40;
/** Ascending, so that an exponential expression is found by a short text instead of a test that never ends. */
const LENGTHS = [24, 32, 44, 60, 90, 140, 300, 1200, 10_000];
const RUNS = [...'a0 -_.,/:=@"<([{\\%', '\t', '\n', '\u{1f600}', 'ab', 'a.', '0.', 'a,', ' a', '/a', '="', '\\"'];
const ENDS = ['', '!\0'];

interface Found {
  place: string;
  expression: RegExp;
}

/** Slow on a long text, but never given one. */
const NEVER_LONG: Readonly<Record<string, string>> = {
  'domain/format/dollars.ts': 'digits of a number',
  'domain/record/ledger/bytes.ts': 'no more than two signs of equality: the line before looks',
  'server/community/changelog/post-html.ts': 'written by admins, bounded by the table',
  'server/community/news/read-feed.ts': 'a host name',
  'server/platform/config/config-accounts.ts': 'a setting',
  'server/platform/config/addresses.ts': 'a setting',
  'server/platform/config/config-telemetry.ts': 'a setting',
  'server/platform/telemetry/log-cleaning.ts': 'a message of the JSON parser, which quotes some forty characters',
};

function expressionsIn(file: string): Found[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!text.includes('/')) return [];
  const { program, errors } = parseSync(file, text);
  expect(errors, file).toEqual([]);
  const found: Found[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ place: `${file}:${line}`, expression: new RegExp(pattern, flags.replace(/[gy]/g, '')) });
    },
  }).visit(program);
  return found;
}

/** The literal parts of the expression come first, because many expressions match nothing without their beginning. */
function beginningsOf({ source }: RegExp): string[] {
  const plain = /^\^?((?:[\w /:<="'@&-]|\\[/.?+*()[\]{}|])+)/.exec(source)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? '';
  return plain === '' ? [''] : ['', plain];
}

/** Takes the least of a few runs if the first is slow, because on a busy machine any of them may have waited. */
function leastMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5 && least > LIMIT_MS; i += 1) {
    const startedMs = performance.now();
    work();
    least = Math.min(least, performance.now() - startedMs);
  }
  return least;
}

/** @returns the shortened text on which it took too long, or null */
function slowText({ expression }: Found): string | null {
  for (const length of LENGTHS)
    for (const beginning of beginningsOf(expression))
      for (const run of RUNS)
        for (const end of ENDS) {
          const text = beginning + run.repeat(Math.ceil(length / run.length)) + end;
          const tookMs = leastMs(() => expression.test(text));
          if (tookMs > LIMIT_MS)
            return `${JSON.stringify(beginning + run)} x ${length} + ${JSON.stringify(end)}: ${Math.round(tookMs)} ms`;
        }
  return null;
}

const files = globSync('{server,domain}/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).toSorted();

test('runs every regular expression of server and domain quickly on hostile text', () => {
  const found = files.flatMap(expressionsIn);
  const tried = found.filter(({ place }) => NEVER_LONG[place.replace(/:\d+$/, '')] === undefined);
  const slow = tried.flatMap((one) => {
    const text = slowText(one);
    return text === null ? [] : [`${one.place} ${one.expression}: ${text}`];
  });

  expect(found.length).toBeGreaterThan(100);
  expect(slow).toEqual([]);
});

test.each([/^(a+)+$/, /^(?:\w|\d)+!x/, /\s+$/, /,*,*x/])('detects a slow expression: %s', (expression) => {
  expect(slowText({ place: 'here', expression })).not.toBeNull();
});
