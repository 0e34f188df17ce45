import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oneHook, partsOf, separateImports, withoutMethods } from './unused-code.ts';

const CODE = `class Client {
    used(a) {
        return { a };
    }
    async signInWithWallet({ chain = '' }, options) {
        if (chain) {
            return {};
        }
    }
    usedToo() { return 1; }
}`;

test('methods that are left out say where, and the others stay as they are', async () => {
  const code = withoutMethods(CODE, /signInWithWallet/);
  const { Client } = await import(`data:text/javascript,${encodeURIComponent(`export ${code}`)}`);

  const client = new Client();

  expect([client.used(1), client.usedToo()]).toEqual([{ a: 1 }, 1]);
  expect(() => client.signInWithWallet({})).toThrow('left out by scripts/site/unused-code.ts');
});

test('each part is asked for by its own file, types by none, and what is not known as before', () => {
  const parts = new Map([['Sun', { file: '/icons/sun.mjs', name: 'default' }]]);

  const code = separateImports('Sun as Day, type LucideIcon, unheardOf', 'icons', parts);

  expect(code).toBe("import { default as Day } from '/icons/sun.mjs'; import { unheardOf } from 'icons';");
});

test.each([
  ['lucide-react/dist/esm/lucide-react.mjs', 'CircleAlert', /icons\/.+\.mjs$/],
  ['@tanstack/react-query/build/modern/index.js', 'useQuery', /modern\/useQuery\.js$/],
  ['@tanstack/query-core/build/modern/index.js', 'QueryClient', /modern\/queryClient\.js$/],
])('%s still says where %s is', (index, name, file) => {
  expect(partsOf(new URL(`../../node_modules/${index}`, import.meta.url).pathname).get(name)?.file).toMatch(file);
});

test('of Downshift no table of property types is left, and nothing else that its hook asks for goes', () => {
  const code = oneHook(
    readFileSync(new URL('../../node_modules/downshift/dist/downshift.esm.mjs', import.meta.url), 'utf8'),
  );
  const hook = code.slice(code.indexOf('function useSelect('), code.indexOf('function getInitialState$2('));

  const [, ...tables] = code.split(/^var (?:propTypes(?:\$\d)?|dropdownPropTypes) = /m);
  expect(tables.map((table) => table.slice(0, 3))).toEqual(['{};', '{};', '{};', '{};', '{};', '{};']);
  expect(code).not.toMatch(/^ {2}scrollIntoView: scrollIntoView,$/m);
  expect(hook).toContain('getToggleButtonProps');
});
