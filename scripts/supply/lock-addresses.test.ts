import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import { type Lockfile, withAddresses } from './lock-addresses.ts';

test('gives every package from a registry the public registry’s address', () => {
  const integrity = 'sha512-a';
  const packages: Lockfile['packages'] = {
    '': { name: 'kat', version: '0.1.0' },
    'node_modules/hono': { version: '4.0.0', integrity },
    'node_modules/@img/sharp': { version: '1.0.0', integrity, resolved: 'https://mirror.example/sharp.tgz' },
    'node_modules/a/node_modules/b': { version: '2.0.0', integrity },
    'node_modules/renamed': { name: '@scope/real', version: '3.0.0', integrity },
  };

  const addressed = withAddresses({ lockfileVersion: 3, packages });

  expect(Object.values(addressed.packages).map(({ resolved }) => resolved)).toEqual([
    undefined,
    'https://registry.npmjs.org/hono/-/hono-4.0.0.tgz',
    'https://registry.npmjs.org/@img/sharp/-/sharp-1.0.0.tgz',
    'https://registry.npmjs.org/b/-/b-2.0.0.tgz',
    'https://registry.npmjs.org/@scope/real/-/real-3.0.0.tgz',
  ]);
  expect(addressed.lockfileVersion).toBe(3);
});

test('finds the addresses in the lockfile complete, and no other host', () => {
  const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const lock: Lockfile = JSON.parse(text);

  // If this fails after a change of packages: npm run release -- addresses
  expect(lock).toEqual(withAddresses(lock));
  const hosts = [...text.matchAll(/"resolved": "([a-z]+:\/\/[^/"]+)/g)].map(([, host]) => host);
  expect([...new Set(hosts)]).toEqual(['https://registry.npmjs.org']);
});
