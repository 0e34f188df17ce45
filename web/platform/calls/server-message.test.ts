import { expect, test } from 'vitest';
import { serverMessage } from './server-message.ts';

test.each([
  ['the server’s sentence', { code: '42501', message: 'Not authorized.' }, 'Not authorized.'],
  ['no answer, in the browser’s words', { code: '', message: 'TypeError: Failed to fetch' }, 'ours'],
  ['a proxy’s page', { message: '<html>' }, 'ours'],
  ['a code alone', { code: 'XX000', message: '' }, 'ours'],
  ['a refusal in another shape', { code: 'internal' }, 'ours'],
  ['what is no sentence', { code: 'XX000', message: 'x'.repeat(201) }, 'ours'],
])('picks the message to show: %s', (_what, error, expected) => {
  expect(serverMessage(error, 'ours')).toBe(expected);
});
