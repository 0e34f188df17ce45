import { expect, test } from 'vitest';
import { accountOfPerson, personOf } from './saml-account.ts';
import type { SamlAssertion } from './saml-assertion.ts';
import type { SamlProvider } from './saml-providers.ts';

const provider: SamlProvider = {
  id: 'p1',
  domains: ['example.org'],
  entityId: 'https://idp.example.org',
  entryPoint: 'https://idp.example.org',
  certificates: [],
  attributeMapping: { email: null, name: null },
};
const assertion: SamlAssertion = {
  id: '_a',
  nameId: 'ada',
  nameIdFormat: '',
  expiresAtMs: 0,
  sessionNotAfterMs: null,
  attributes: { mail: ['Ada@Example.org', 'second@example.org'], displayName: ['Ada'] },
};
const person = (change: Partial<SamlAssertion>, mapping = provider.attributeMapping) =>
  personOf({ ...assertion, ...change }, { ...provider, attributeMapping: mapping });

test('takes the first address and name by the usual attributes of providers', () => {
  expect(person({})).toEqual({ subject: 'ada', email: 'ada@example.org', name: 'Ada' });
  expect(person({ attributes: { 'urn:oid:0.9.2342.19200300.100.1.3': ['a@example.org'] } })).toMatchObject({
    email: 'a@example.org',
    name: null,
  });
});

test("takes only the attributes that the operator's file names, once it names some", () => {
  const attributes = { mail: ['ada@example.org'], contact: ['c@example.org'], label: ['Countess'] };
  expect(person({ attributes }, { email: 'contact', name: 'label' })).toMatchObject({
    email: 'c@example.org',
    name: 'Countess',
  });
  const noEmail = expect.objectContaining({ errorCode: 'saml_assertion_no_email', status: 400 });
  expect(() => person({ attributes }, { email: 'other', name: null })).toThrow(noEmail);
});

test('takes the name as address only in the format of addresses, and only without a mapping', () => {
  const named = {
    nameId: 'ada@example.org',
    attributes: {},
    nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  };
  expect(person(named).email).toBe('ada@example.org');
  const noEmail = expect.objectContaining({ errorCode: 'saml_assertion_no_email' });
  expect(() => person({ ...named, nameIdFormat: '' })).toThrow(noEmail);
  expect(() => person(named, { email: 'contact', name: null })).toThrow(noEmail);
  expect(() => person({ attributes: { mail: ['no address'] } })).toThrow(noEmail);
});

test.each([
  ['no name', { nameId: '' }],
  ['a name of more than 500 characters', { nameId: 'a'.repeat(501) }],
  ['a name for one session', { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }],
])('refuses %s, which identifies no one for long', (_what, change) => {
  expect(() => person(change)).toThrow(expect.objectContaining({ errorCode: 'saml_assertion_no_user_id' }));
});

test.each(['ada@elsewhere.example', 'ada@notexample.org', 'ada@sub.example.org'])(
  'refuses an address outside the domains of the provider: %s',
  (address) => {
    expect(() => person({ attributes: { mail: [address] } })).toThrow(
      expect.objectContaining({ errorCode: 'email_address_not_authorized', status: 403 }),
    );
  },
);

test('cuts a long name, and takes no attribute for one that every object inherits', () => {
  expect(person({ attributes: { mail: ['ada@example.org'], name: ['x'.repeat(300)] } }).name).toHaveLength(200);
  expect(person({}, { email: null, name: 'constructor' }).name).toBeNull();
});

/** Queries that remember their statements, and know this identity. */
function queriesOf(known: string | null) {
  const ran: { text: string; params: readonly unknown[] }[] = [];
  const query = async <T>(text: string, params: readonly unknown[] = []) => {
    ran.push({ text: text.trim().split(/\s+/).slice(0, 3).join(' '), params });
    return (text.startsWith('update auth.identities') && known !== null ? [{ userId: known }] : []) as T[];
  };
  return { ran, query };
}
const NOW = '2026-11-20T10:00:00.000Z';
const ada = { subject: 'ada', email: 'ada@example.org', name: 'Ada' };

test('opens one account for a new person: simultaneous sign-ins wait for each other', async () => {
  const { ran, query } = queriesOf(null);
  const id = await accountOfPerson({ query }, ada, provider, NOW);
  expect(ran.map(({ text }) => text)).toEqual([
    'select pg_advisory_xact_lock(hashtextextended($1::text, 0))',
    ...['update auth.identities set', 'insert into auth.users', 'insert into auth.identities'],
  ]);
  expect(ran[0]?.params).toEqual(['saml\nsso:p1\nada']);
  expect(ran[2]?.params.slice(0, 3)).toEqual([id, 'ada@example.org', NOW]);
  const identity = { iss: provider.entityId, sub: 'ada', email: ada.email, name: 'Ada', full_name: 'Ada' };
  expect(JSON.parse(String(ran[3]?.params[2]))).toEqual({ ...identity, email_verified: true, phone_verified: false });
});

test("keeps the account of a known person, and lets its address follow the provider's", async () => {
  const { ran, query } = queriesOf('user-1');
  expect(await accountOfPerson({ query }, { ...ada, name: null }, provider, NOW)).toBe('user-1');
  expect(ran.map(({ text }) => text)).toEqual([
    'select pg_advisory_xact_lock(hashtextextended($1::text, 0))',
    ...['update auth.identities set', 'update auth.users set'],
  ]);
  expect(ran[2]?.params).toEqual(['user-1', 'ada@example.org', NOW]);
  expect(JSON.parse(String(ran[1]?.params[2]))).not.toHaveProperty('name');
});
