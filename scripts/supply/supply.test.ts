import { describe, expect, test } from 'vitest';
import { ROOT } from '../site/site-cache.ts';
import { auditVerdict } from './audit.ts';
import { lockOfShipped, shippedBom } from './bom.ts';
import { isAllowed, licenceDocument, refusedLicences } from './licences.ts';
import { secretsIn } from './secrets.ts';
import { type ShippedPackage, shippedPackages } from './shipped-packages.ts';

const pkg = (name: string, licence: string | null): ShippedPackage => ({
  name,
  version: '1.0.0',
  licence,
  runsIn: ['server'],
});

describe('shipped packages', () => {
  const shipped = shippedPackages(ROOT);
  const runsIn = (name: string) => shipped.find((one) => one.name === name)?.runsIn;

  test('holds what the server loads, what the site is built of, and what those need', () => {
    expect(runsIn('postgres')).toEqual(['server']);
    expect(runsIn('react')).toEqual(['browser']);
    expect(runsIn('zod')).toEqual(['browser', 'server']);
    expect(runsIn('scheduler')).toEqual(['browser']);
    expect(runsIn('@fontsource-variable/inter')).toEqual(['browser']);
  });

  test('holds no tool', () => {
    for (const tool of ['vite', 'vitest', 'typescript', 'playwright-core', '@testing-library/react', 'axe-core'])
      expect(runsIn(tool), tool).toBeUndefined();
  });
});

describe('licences', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['Apache-2.0 AND LGPL-3.0-or-later AND MIT', true],
    ['Apache-2.0 AND AGPL-3.0-only', false],
    ['GPL-2.0-only', false],
    ['SEE LICENSE IN LICENSE.md', false],
    [null, false],
  ])('allows %s: %s', (expression, isSo) => {
    expect(isAllowed(expression)).toBe(isSo);
  });

  test('names a package that must not be shipped', () => {
    const packages = [pkg('good', 'MIT'), pkg('copyleft', 'AGPL-3.0-only'), pkg('silent', null)];

    expect(refusedLicences(packages)).toEqual(['copyleft 1.0.0: AGPL-3.0-only', 'silent 1.0.0: no licence is named']);
  });

  test('lists every package under its licence, and what browsers receive', () => {
    const document = licenceDocument([pkg('a', 'MIT'), { ...pkg('b', 'MIT'), runsIn: ['browser'] }, pkg('c', 'ISC')]);

    expect(document).toContain('## ISC\n\nc 1.0.0\n\n## MIT\n\na 1.0.0, b 1.0.0 *\n');
  });
});

describe('secrets', () => {
  // Joined here, because the scan would find them in this file.
  const join = (...parts: string[]): string => parts.join('');
  const letters = 'Zk3uQ9xW2rT7yB5nM8vC1sD4fG6hJ0pL'.repeat(3);
  const planted: [string, string][] = [
    ['a private key', join('-----BEGIN ', 'PRIVATE KEY-----\n', letters)],
    ['a private key of ours', join('"d": "', letters.slice(0, 43), '"')],
    ['a live key of the payment provider', join('sk_', 'live_', letters.slice(0, 24))],
    ['a webhook secret of the payment provider', join('whsec', '_', letters.slice(0, 32))],
    ['a key of the object store', join('AKIA', 'ABCDEFGHIJ234567')],
    ['a token of the code’s host', join('ghp', '_', letters.slice(0, 36))],
    ['a key of Google', join('AIza', letters.slice(0, 35))],
    ['a client secret of Google', join('GOCSPX', '-', letters.slice(0, 28))],
    ['a token of a package registry', join('npm', '_', letters.slice(0, 36))],
    ['a key of Databento', join('db', '-', letters.slice(0, 29))],
    ['a token of a chat', join('xoxb', '-123456789012-', letters.slice(0, 12))],
    [
      'a key with all rights',
      [{ alg: 'ES256' }, { role: 'service_role', iss: 'kat' }].map((one) => base64(one)).join('.'),
    ],
    [
      'a key with all rights',
      [{ alg: 'ES256' }, { iss: 'kat', role: 'service_role' }].map((one) => base64(one)).join('.'),
    ],
    [
      'a key with all rights',
      [{ alg: 'ES256' }, { iss: 'kat1', role: 'service_role' }].map((one) => base64(one)).join('.'),
    ],
  ];

  test.each(planted)('finds %s, with its line', (kind, secret) => {
    expect(secretsIn('a.ts', `const a = 1;\nconst key = \`${secret}\`;\n`)).toEqual([{ file: 'a.ts', line: 2, kind }]);
  });

  test('lists publicly known values by file and kind, which hide nothing else', () => {
    const [, secret] = planted[2] ?? ['', ''];
    const known = new Map([['a.test.ts: a live key of the payment provider', 'an example']]);

    expect(secretsIn('a.test.ts', secret, known)).toEqual([]);
    expect(secretsIn('b.test.ts', secret, known)).toHaveLength(1);
  });

  test('reports no examples and no names of settings', () => {
    const prose =
      'STRIPE_SECRET_KEY=sk_live_... whsec_test SMTP_URL=smtps://user:password@host //registry/:_authToken=$NPM_TOKEN';

    expect(secretsIn('README.md', prose)).toEqual([]);
  });
});

describe('the list of components', () => {
  const component = (name: string) => ({ 'bom-ref': `${name}@1.0.0`, type: 'library', name, version: '1.0.0' });
  const output = {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'kat@1' } },
    components: [component('server-side'), component('tool')],
    dependencies: [{ ref: 'kat@1', dependsOn: ['server-side@1.0.0', 'tool@1.0.0'] }],
  };

  test('holds what is shipped, says where it runs, and nothing of tools', () => {
    const model = { 'bom-ref': 'model:m@1', type: 'machine-learning-model', name: 'm', version: '1' };
    const bom = shippedBom(output, [pkg('server-side', 'MIT')], [model]);

    expect(bom.components.map((one) => one.name)).toEqual(['server-side', 'm']);
    expect(bom.components[0]?.properties).toEqual([{ name: 'kat:runs-in', value: 'server' }]);
    expect(bom.dependencies).toEqual([{ ref: 'kat@1', dependsOn: ['server-side@1.0.0'] }]);
  });

  test('leaves out optional peers of tools, which may be too old for npm to list anything', () => {
    const peers = {
      peerDependencies: { react: '<19', vite: '8' },
      peerDependenciesMeta: { react: { optional: true } },
    };
    const packages = { '': peers, 'node_modules/a/node_modules/tool': peers, 'node_modules/server-side': peers };

    expect(lockOfShipped({ lockfileVersion: 3, packages }, [pkg('server-side', 'MIT')])).toEqual({
      lockfileVersion: 3,
      packages: { ...packages, 'node_modules/a/node_modules/tool': { peerDependencies: { vite: '8' } } },
    });
  });

  test('reports a shipped package that is missing', () => {
    expect(() => shippedBom(output, [pkg('forgotten', 'MIT')], [])).toThrow(/forgotten/);
  });
});

describe('known weaknesses', () => {
  const report = (severity: string) => JSON.stringify({ vulnerabilities: { x: { severity, range: '<2' } } });

  test.each([
    ['{"vulnerabilities":{}}', false, 'No known vulnerabilities.'],
    [report('moderate'), false, 'moderate: x <2'],
    [report('high'), true, 'high: x <2'],
    [report('critical'), true, 'critical: x <2'],
  ])('reports %s', (output, isRefused, line) => {
    expect(auditVerdict(output)).toEqual({ isRefused, lines: [line] });
  });

  test.each(['', '<html>', '{"message":"405 Method Not Allowed - POST x"}'])(
    'reports an invalid answer (%j)',
    (output) => {
      const { isRefused, lines } = auditVerdict(output);

      expect(isRefused).toBe(false);
      expect(lines.join()).toContain('NOT CHECKED');
    },
  );
});

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
