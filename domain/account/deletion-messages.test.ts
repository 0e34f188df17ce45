import { expect, test } from 'vitest';
import { deletionMessage } from './deletion-messages.ts';
import { plain, signIn } from './second-factor-messages.ts';

test('offers to sign in again when the session ended before the account was deleted', () => {
  expect(deletionMessage({ code: 'auth/session-ended' })).toEqual(signIn('This session has ended. Sign in again.'));
});

test('shows the server’s own message for a refusal that only a deletion has, and for no other', () => {
  const message = 'The name is not yours.';
  const unknown = plain('We don’t know whether your account was deleted. Reload this page to see.');

  expect(deletionMessage({ code: 'account/wrong-name', message })).toEqual(plain(message));
  expect(deletionMessage({ code: 'account/wrong-name' })).toEqual(unknown);
  expect(deletionMessage({ code: 'internal', message })).toEqual(unknown);
  expect(deletionMessage({ message })).toEqual(unknown);
});
