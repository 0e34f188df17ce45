import { expect, test } from 'vitest';
import { keyMakingMessage, keyRevokingMessage } from './api-key-messages.ts';
import { plain, signIn } from './second-factor-messages.ts';

test.each([
  ['auth/second-factor-needed', 'Sign in again with a code from your app to change your keys.'],
  ['auth/session-ended', 'This session has ended. Sign in again.'],
])('offers to sign in before a key is made or revoked: %s', (code, message) => {
  expect([keyMakingMessage({ code }), keyRevokingMessage({ code })]).toEqual([signIn(message), signIn(message)]);
});

test('says that a key which could not be revoked still works', () => {
  const message = plain('We couldn’t revoke that key, so it still works. Please try again.');
  expect([keyRevokingMessage({ code: 'internal' }), keyRevokingMessage({})]).toEqual([message, message]);
});
