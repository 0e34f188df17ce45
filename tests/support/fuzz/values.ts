import fc from 'fast-check';

const FRAGMENTS = [
  ...["' or 1=1--", '"; drop table profiles; --', "'; select pg_sleep(9); --", '$1', '$$x$$', '\\', "\\'", '::uuid'],
  ...['pg_sleep(10)', '(select 1)', 'now()', 'null', 'NULL', 'undefined', 'NaN', 'Infinity', '-0', '1e999', '0x10'],
  ...['99999999999999999999999', '-9223372036854775809', '2147483648', '1.5', 'true', '{}', '[]', '{1,2}', '{"a":1}'],
  ...['eq.', 'eq.1', 'in.()', 'in.(1,2', 'in.("a"', 'not.not.eq.1', 'or', 'and(a.eq.1', 'is.unknown', 'cs.{a}'],
  ...[
    'fts.x',
    'like.%%%%%%%%%%%%%%a',
    'ilike.*',
    'eq(any).{1}',
    '*',
    '**',
    '%',
    '_',
    ',',
    '.',
    '..',
    ':',
    '"',
    "'",
    '()',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '<script>alert(1)</script>', '{{7*7}}', '#{7*7}'],
  ...[
    '../../etc/passwd',
    '..\\..\\x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//evil.example',
    'http://127.0.0.1:1',
  ],
  ...[
    'a\r\nset-cookie: a=b',
    'a\nb',
    '\t',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\ufffe',
    '\u202egnp',
    '\ufeff',
  ],
  ...['İ', 'ß', 'ﬀ', 'é', 'e\u0301', '🦁', '٣', 'a@b.c', 'A@EXAMPLE.COM', ' a@example.com ', 'a@example.com\u0000'],
  ...['9999-12-31T23:59:60Z', '-infinity', '0001-01-01 BC', '1970-13-01', '00000000-0000-0000-0000-000000000000', 'x'],
];

const LONG = [
  ...['x'.repeat(300), 'é'.repeat(2000), "'".repeat(900), '('.repeat(400), '%25'.repeat(400), '9'.repeat(400)],
  ...['a,'.repeat(600), 'a.b.'.repeat(300), '\\'.repeat(999), '{'.repeat(300), '*'.repeat(200), '_%'.repeat(150)],
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...FRAGMENTS) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.uuid() },
);

const hostileNumber = fc.constantFrom(0, -1, -0, 1.5, 1e21, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 4_294_967_296);

/** Of any type, nested ones too. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: { c: [] } } }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(hostileText, hostileNumber), { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 200 }).map(nested) },
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Percent-encoding: correct, missing, doubled, overlong, or cut off. */
export const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(19)).map(([value, way]) => {
    const proper = encodeURIComponent(value.toWellFormed());
    if (way === 0) return encodeURIComponent(proper);
    if (way === 1) return `${proper}%`;
    if (way === 2) return `${proper}%zz`;
    if (way === 3) return `%c0%af${proper}`;
    if (way === 4) return `${proper}%ff%fe`;
    if (way === 5) return `%u0041${proper}`;
    if (way === 6) return printable(value);
    return proper;
  });

/** Keeps what a request line can hold, octet by octet. */
export function printable(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[^\u0021-\u00ff]/g, '');
}

/** Keeps what a client can put into a header. */
export const headerText = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
    .slice(0, 500);
