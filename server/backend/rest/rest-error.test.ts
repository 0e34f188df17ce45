import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { SqlError } from '../../platform/database/database.ts';
import { notUnderstood, toRestError } from './rest-error.ts';

const sqlError = (code: string) => new SqlError(code, 'refused', 'why', 'how', null);

test.each<[string, number, number]>([
  ['42501', 401, 403],
  ['23505', 409, 409],
  ['23503', 409, 409],
  ['23514', 400, 400],
  ['22P02', 400, 400],
  ['42883', 404, 404],
  ['P0001', 400, 400],
  ['PT402', 402, 402],
  ['PT503', 503, 503],
])('maps SQLSTATE %s to %i for a visitor and %i for a user, with its details', (code, forVisitor, forUser) => {
  const visitor = toRestError(sqlError(code), true);
  const user = toRestError(sqlError(code), false);

  expect([visitor?.status, user?.status]).toEqual([forVisitor, forUser]);
  expect(user?.body).toEqual({ code, message: 'refused', details: 'why', hint: 'how' });
});

test.each(['XX000', '57014', '40P01', '08006', 'PT200', 'PT999'])(
  'treats SQLSTATE %s as an internal error and reveals nothing',
  (code) => {
    expect(toRestError(sqlError(code), false)).toBeNull();
  },
);

test('answers 503 with Retry-After while the database restarts', () => {
  const refusal = toRestError(new AppError('database/unavailable'), false);

  expect([refusal?.status, refusal?.headers['retry-after']]).toEqual([503, '1']);
});

test('does not turn a bug into a refusal', () => {
  expect(toRestError(new TypeError('x'), false)).toBeNull();
});

test('keeps the code of a statement cancelled by the database server, with Retry-After', () => {
  const ended = Object.assign(new Error('canceling statement'), { code: '57014' });
  const byServer = toRestError(new AppError('database/busy', { cause: ended }), false);
  const inTheQueue = toRestError(new AppError('database/busy'), false);

  expect([byServer?.status, byServer?.body.code, byServer?.headers['retry-after']]).toEqual([503, '57014', '1']);
  expect([inTheQueue?.status, inTheQueue?.body.code]).toEqual([503, 'PGRST001']);
});

test.each([
  ['filter', 'within.(1)', 'failed to parse filter (within.(1))', 'not understood: within.(1)'],
  ['more than 20 filters', '', 'failed to parse more than 20 filters', 'not understood: more than 20 filters'],
  [
    'filter',
    'x'.repeat(101),
    `failed to parse filter (${'x'.repeat(100)}...)`,
    `not understood: ${'x'.repeat(100)}...`,
  ],
])('repeats what was not understood in a refusal of %s', (what, text, message, details) => {
  expect(notUnderstood(what, text).body).toEqual({ code: 'PGRST100', message, details, hint: null });
});
