import { expect, test } from 'vitest';
import { describeRoleChange } from './role-messages.ts';

const grant = { account: 'chief@example.com', role: 'admin' } as const;
const revoke = { account: 'chief@example.com', role: 'user' } as const;
const found = { id: 'a1', email: 'chief@example.com', isConfirmed: true };

test.each([
  [grant, 'changed', 'chief@example.com is an admin now.'],
  [grant, 'unchanged', 'chief@example.com is already an admin; nothing was changed.'],
  [revoke, 'changed', 'chief@example.com is no longer an admin.'],
  [revoke, 'unchanged', 'chief@example.com is not an admin; nothing was changed.'],
] as const)('reports %o, %s', (change, kind, line) => {
  expect(describeRoleChange(change, { kind, ...found })).toEqual({ isOk: true, lines: [line] });
});

test('warns of an unconfirmed address only when it makes an admin', () => {
  const unconfirmed = { kind: 'changed', ...found, isConfirmed: false } as const;
  expect(describeRoleChange(grant, unconfirmed).lines).toEqual([
    'chief@example.com is an admin now.',
    'Its address is not confirmed, so someone else may have created this account.',
  ]);
  expect(describeRoleChange(revoke, unconfirmed).lines).toEqual(['chief@example.com is no longer an admin.']);
});

test('names an account without an address by its id', () => {
  const { lines } = describeRoleChange(grant, { kind: 'changed', ...found, email: null });
  expect(lines).toEqual(['a1 is an admin now.']);
});

test('fails for an unknown account, and says what to do first', () => {
  expect(describeRoleChange(grant, { kind: 'unknown' })).toEqual({
    isOk: false,
    lines: ['There is no account chief@example.com. Create it on the site first, then run this again.'],
  });
});

test('fails for an address of several accounts, and lists their ids', () => {
  expect(describeRoleChange(grant, { kind: 'several', ids: ['a1', 'b2'] })).toEqual({
    isOk: false,
    lines: ['Several accounts have the address chief@example.com. Use the id of one of them instead:', '  a1', '  b2'],
  });
});
