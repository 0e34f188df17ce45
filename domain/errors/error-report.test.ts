import { expect, test } from 'vitest';
import { utf8Bytes } from '../format/utf8-bytes.ts';
import { cleanReport } from './error-report.ts';

const cleanContext = (context: unknown) => cleanReport({ context }, ['context']).context;
const sizeOf = (value: unknown) => utf8Bytes(JSON.stringify(value));

test('redacts message, stack and context at any depth', () => {
  const context = {
    page: '/a',
    n: 1,
    none: null,
    isOn: true,
    mail: ['bob@example.com', { deep: 'basic dXNlcjpw' }],
    password: 123,
    headers: { Authorization: ['abc'] },
    json: '{"password":"hunter2"}',
    'dan@example.com': true,
  };

  const report = { error_message: 'of ada@example.com', error_stack: 'at eyJhbGciOi.eyJz (x.js)', context };
  expect(cleanReport(report, Object.keys(report))).toEqual({
    error_message: 'of [email]',
    error_stack: 'at [token] (x.js)',
    context: {
      page: '/a',
      n: 1,
      none: null,
      isOn: true,
      mail: ['[email]', { deep: 'basic [token]' }],
      password: '[redacted]',
      headers: { Authorization: '[redacted]' },
      json: '{"password":"[redacted]"}',
      '[email]': true,
    },
  });
});

test('cuts texts to 4 KiB and a whole report to 16 KiB', () => {
  const long = 'word '.repeat(8000);
  const context = { first: long, second: long, third: long };
  const report = { error_message: long, error_stack: long, context };

  const clean = cleanReport(report, Object.keys(report));

  expect(utf8Bytes(String(clean.error_message))).toBe(2000);
  expect(utf8Bytes(String(clean.error_stack))).toBe(4096);
  expect(sizeOf(clean)).toBeLessThan(16 * 1024);
  expect(clean.context).toMatchObject({ first: expect.stringMatching(/^word .*…$/), cut: true });
  expect(clean.context).not.toHaveProperty('third');
});

test('keeps what fits of a context, and says that there was more', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`key ${n}`, n]));

  expect(cleanContext(many)).toMatchObject({ 'key 0': 0, 'key 1': 1, cut: true });
  expect(sizeOf(cleanContext(many))).toBeLessThan(8192);
  expect(cleanContext(Array.from({ length: 5000 }, () => 1))).toEqual({ context: expect.any(Array), cut: true });
  expect(cleanContext({ page: '/' })).toEqual({ page: '/' });
});

test('takes values of any kind, and drops columns that are not written', () => {
  const report = { error_message: { password: 'x' }, error_stack: null, other: 'x', user_id: 7 };

  expect(cleanReport(report, ['error_message', 'error_stack', 'context', 'user_id'])).toEqual({
    error_message: '{"password":"[redacted]"}',
    error_stack: null,
    context: null,
    user_id: 7,
  });
});
