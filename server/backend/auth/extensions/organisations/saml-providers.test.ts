import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SettingsRefused } from '../../../../platform/config/config.ts';
import { readSamlProviders } from './saml-providers.ts';

const ID = '21648a9d-8d5a-4555-a9d1-d6375dc14e92';
const OTHER_ID = '6c2d6f3a-0f0e-4a44-9c6b-2d2a4b9f7c11';
const spki = { type: 'spki', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = rsa.publicKey.export(spki).toString();
const PRIVATE_PEM = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const WEAK_PEM = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(spki).toString();
const EC_PEM = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(spki).toString();

const PROVIDER = {
  id: ID,
  domains: ['Example.org'],
  entityId: 'https://idp.example.org/entity',
  entryPoint: 'https://idp.example.org/sso',
  certificate: PEM,
};
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-saml-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: unknown) {
  const path = join(folder, 'providers.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readSamlProviders(path);
}

test('finds a provider by its id and by any of its domains, in upper or lower case', async () => {
  const providers = await read([{ ...PROVIDER, domains: ['Example.org', 'example.net'] }]);

  expect(providers.byId(ID.toUpperCase())?.entityId).toBe(PROVIDER.entityId);
  expect(providers.byDomain('EXAMPLE.ORG')?.id).toBe(ID);
  expect(providers.byDomain('example.net')?.domains).toEqual(['example.org', 'example.net']);
  expect([providers.byDomain('sub.example.org'), providers.byId(OTHER_ID)]).toEqual([null, null]);
});

test('accepts several certificates and a mapping of attribute names', async () => {
  const { certificate, ...provider } = PROVIDER;

  const providers = await read([
    { ...provider, certificates: [certificate, PEM], attributeMapping: { email: 'contact' } },
  ]);

  expect(providers.byId(ID)?.certificates).toHaveLength(2);
  expect(providers.byId(ID)?.attributeMapping).toEqual({ email: 'contact', name: null });
});

test('accepts a provider on this machine without encryption', async () => {
  const providers = await read([{ ...PROVIDER, entryPoint: 'http://127.0.0.1:8080/sso' }]);

  expect(providers.byId(ID)).not.toBeNull();
});

test.each<[string, unknown, RegExp]>([
  ['what is no JSON', '[{', /isn't JSON/],
  ['what is no list', { providers: [] }, /the file: must be of type array/],
  ['an invalid id', [{ ...PROVIDER, id: 'main' }], /0\.id: must be a uuid/],
  ['no domain', [{ ...PROVIDER, domains: [] }], /0\.domains: must not be empty/],
  [
    'a domain that is an address',
    [{ ...PROVIDER, domains: ['https://example.org'] }],
    /0\.domains\.0: must be a domain/,
  ],
  ['a domain that is everything', [{ ...PROVIDER, domains: ['org'] }], /must be a domain/],
  ['a page that anybody can read along', [{ ...PROVIDER, entryPoint: 'http://idp.example.org' }], /https/],
  ['a page that is a script', [{ ...PROVIDER, entryPoint: 'javascript:alert(1)' }], /0\.entryPoint/],
  ['no certificate', [{ ...PROVIDER, certificate: undefined }], /no certificate/],
  ['what is no certificate', [{ ...PROVIDER, certificate: 'MIIC' }], /0\.certificate: must be the PEM/],
  ['a weak key', [{ ...PROVIDER, certificate: WEAK_PEM }], /2048 bits/],
  ['a key of another kind', [{ ...PROVIDER, certificate: EC_PEM }], /RSA/],
  ['a private key', [{ ...PROVIDER, certificate: PRIVATE_PEM }], /must be the PEM/],
  ['a misspelled field', [{ ...PROVIDER, entrypoint: 'x' }], /0: has no entrypoint/],
  ['one id twice', [PROVIDER, { ...PROVIDER, domains: ['b.example'], entityId: 'b' }], /the id .* twice/],
  ['one domain twice', [PROVIDER, { ...PROVIDER, id: OTHER_ID, entityId: 'b' }], /the domain example.org twice/],
  ['one entity twice', [PROVIDER, { ...PROVIDER, id: OTHER_ID, domains: ['b.example'] }], /the entityId .* twice/],
])('refuses %s with a message that names the fault', async (_what, content, message) => {
  await expect(read(content)).rejects.toThrow(SettingsRefused);
  await expect(read(content)).rejects.toThrow(message);
  await expect(read(content)).rejects.not.toThrow(/BEGIN PRIVATE KEY/);
});

test('refuses a missing file and names it', async () => {
  await expect(readSamlProviders(join(folder, 'none.json'))).rejects.toThrow(/none\.json \(ENOENT\)/);
});
