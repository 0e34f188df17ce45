import { expect, test } from 'vitest';
import { ownHosts } from './host-rule.ts';

const PRODUCTION = { isProduction: true, publicUrl: 'https://kat.example', host: '0.0.0.0' };
const DEVELOPMENT = { isProduction: false, publicUrl: null, host: '127.0.0.1' };

test.each([
  ['kat.example', true],
  ['kat.example:443', true],
  ['KAT.example', true],
  ['kat.example:8443', false],
  ['evil.example', false],
  ['kat.example.evil.example', false],
  ['localhost:3000', false],
  ['127.0.0.1:3000', false],
  ['', false],
  ['a b', false],
])('answers in production only under its public name: %s %s', (host, isOwn) => {
  expect(ownHosts(PRODUCTION, () => 3000)(host)).toBe(isOwn);
});

test.each([
  ['localhost:3000', true],
  ['localhost:6666', false],
  ['127.0.0.1:6666', false],
  ['localhost', false],
  ['127.0.0.1:3000', true],
  ['[::1]:3000', true],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['evil.example', false],
  ['192.168.1.7', false],
])('answers in development on this machine: %s %s', (host, isOwn) => {
  expect(ownHosts(DEVELOPMENT, () => 3000)(host)).toBe(isOwn);
});

test('answers under its configured HOST and PUBLIC_URL', () => {
  const isOwn = ownHosts({ isProduction: false, publicUrl: 'http://kat.test:8080', host: 'kat.lan' }, () => 3000);

  expect(['kat.lan:3000', 'kat.test:8080', 'kat.test', 'localhost:3000', 'kat.lan:3001'].map(isOwn)).toEqual([
    ...[true, true, false, true, false],
  ]);
});

test('accepts the default port named or omitted, also beside an https address', () => {
  const isOwn = ownHosts(DEVELOPMENT, () => 80);
  const isOwnBesideHttps = ownHosts({ ...DEVELOPMENT, publicUrl: 'https://kat.test' }, () => 443);

  expect(['localhost', 'localhost:80', 'localhost:443'].map(isOwn)).toEqual([true, true, false]);
  expect(['kat.test', 'kat.test:443', 'localhost:443', 'localhost'].map(isOwnBesideHttps)).toEqual([
    ...[true, true, true, false],
  ]);
});
