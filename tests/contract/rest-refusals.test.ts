/** What the table interface refuses before it queries the database, and what it lets no caller reach. */
import { describe, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { JSON_TYPE } from './support/backend.ts';
import { codeOf, openRestTables, TAG } from './support/data/rest.ts';

describeBothAtNight('tables', (kind) => {
  const rest = openedForTests(() => openRestTables(kind));

  describe('the entry checks', () => {
    test.each<[string, string, RequestInit, number, string]>([
      ['an unknown table', '/contract_nothing', {}, 404, 'PGRST205'],
      ['a table outside the schema', '/contract_secret', {}, 404, 'PGRST205'],
      ['a table with its schema', '/private.contract_secret', {}, 404, 'PGRST205'],
      ['a table of the server itself', '/pg_authid', {}, 404, 'PGRST205'],
      ['another schema to read', '/contract_secret', { headers: { 'accept-profile': 'private' } }, 406, 'PGRST106'],
      [
        'another schema to write',
        '/contract_secret',
        { method: 'POST', body: '{}', headers: { 'content-profile': 'private', ...JSON_TYPE } },
        406,
        'PGRST106',
      ],
      ['an unknown column', '/contract_notes?select=nope', {}, 400, '42703'],
      ['an unknown column in a filter', '/contract_notes?nope=eq.1', {}, 400, '42703'],
      ['an unknown column in a group', '/contract_notes?or=(nope.eq.1,id.eq.1)', {}, 400, '42703'],
      ['an unknown column in the order', '/contract_notes?order=nope', {}, 400, '42703'],
      ['an embedded table', '/contract_notes?select=id,contract_states(*)', {}, 400, 'PGRST100'],
      ['an unknown operator', '/contract_notes?title=fts.x', {}, 400, 'PGRST100'],
      ['a preference that is not followed', '/contract_notes', { headers: { prefer: 'tx=rollback' } }, 400, 'PGRST100'],
      ['a NUL in the address', '/contract_notes?title=eq.a%00b', {}, 400, 'PGRST100'],
      ['a value of the wrong type', '/contract_notes?score=eq.x', {}, 400, '22P02'],
      ['another media type', '/contract_notes', { headers: { accept: 'text/csv' } }, 406, 'PGRST107'],
      [
        'another content type',
        '/contract_notes',
        { method: 'POST', body: 'title=a', headers: { 'content-type': 'text/plain' } },
        415,
        'PGRST102',
      ],
      ['the schema', '/', {}, 404, 'PGRST125'],
    ])('refuses %s', async (_what, path, init, status, code) => {
      expect(await codeOf(await rest().asAda(path, init))).toEqual([status, code]);
    });

    test('refuses missing, bad and expired tokens, and names the way to sign in', async () => {
      const bare = await fetch(`${rest().server.url}/rest/v1/contract_notes`);
      const bad = await rest().server.request('/rest/v1/contract_notes', {
        headers: { authorization: 'Bearer a.b.c' },
      });
      const basic = await rest().server.request('/rest/v1/contract_notes', {
        headers: { authorization: 'Basic YTpi' },
      });
      const old = await rest().server.keys.sign({ role: 'authenticated', sub: TAG }, 1_000_000, 1_000_001);
      const expired = await rest().server.request('/rest/v1/contract_notes', {
        headers: { authorization: `Bearer ${old}` },
      });

      expect(await codeOf(bare.clone())).toEqual([401, 'PGRST302']);
      expect(await codeOf(bad)).toEqual([401, 'PGRST301']);
      expect(await codeOf(basic)).toEqual([401, 'PGRST301']);
      expect(await codeOf(expired.clone())).toEqual([401, 'PGRST303']);
      expect(expired.headers.get('www-authenticate')).toContain('invalid_token');
    });

    test('lets a visitor neither read, write nor call', async () => {
      const visitor = rest().server.visitor();

      const read = await visitor.from('contract_notes').select();
      const written = await visitor.from('contract_notes').insert({ title: 'x' });
      const called = await visitor.rpc('contract_closed');

      expect([read.status, read.error?.code, read.data]).toEqual([401, '42501', null]);
      expect([written.status, written.error?.code]).toEqual([401, '42501']);
      expect([called.status, called.error?.code]).toEqual([401, '42501']);
    });

    test('names what was not understood to the client library', async () => {
      const { error } = await rest().ada.from('contract_notes').select('id, contract_states(count)');

      expect(error).toMatchObject({ code: 'PGRST100', message: expect.stringContaining('select'), hint: null });
    });
  });
});
