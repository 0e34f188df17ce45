import { describe, expect, test } from 'vitest';
import { encodePath, projectPath } from './limits.ts';

describe('a path to a hosted project', () => {
  test.each([
    ['/auth/v1/tok%65n', '/auth/v1/token'],
    ['/rest/v1/error%5Flogs', '/rest/v1/error_logs'],
    ['/auth/v1/.well-known/jwks.json', '/auth/v1/.well-known/jwks.json'],
    ['/storage/v1/object/avatars/100%25%20sure.png', '/storage/v1/object/avatars/100% sure.png'],
  ])('reads %s as %s', (path, read) => {
    expect(projectPath(path)).toBe(read);
  });

  test.each([
    ...['/auth/v1', '/auth/v1/', '/auth/v1//', '/auth/v1//token', '/auth/v1/token/', '/auth/v1/token%2f'],
    ...['/auth/v1/token%2F', '/auth/v1/token%5c', '/auth/v1/./token', '/auth/v1/%2e%2E/token', '/auth/v1/token%00'],
    ...['/auth/v1/tok%2565n', '/rest/v1/%ff', '/rest/v1/%2f', '/auth/v10/token', '/authx/v1/token', '/functions/v1/x'],
  ])('refuses %s', (path) => {
    expect(() => projectPath(path)).toThrow(expect.objectContaining({ code: 'request/not-found' }));
  });

  test('encodes to one spelling that reads back the same', () => {
    const path = projectPath("/storage/v1/object/avatars/a+b&c=d'%25%3f%23.png");

    expect(encodePath(path)).toBe("/storage/v1/object/avatars/a%2Bb%26c%3Dd'%25%3F%23.png");
    expect(projectPath(encodePath(path))).toBe(path);
  });
});
