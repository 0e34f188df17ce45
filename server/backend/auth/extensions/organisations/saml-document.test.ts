import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js';
import { expect, test } from 'vitest';
import { readEnvelope, requirePlainXml } from './saml-document.ts';

const expected = { acsUrl: 'https://kat.example/acs', issuer: 'https://idp.example.org', requestId: '_request' };
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

interface Parts {
  status?: string;
  signature?: string;
  assertion?: string;
  before?: string;
  attributes?: string;
}

const signature = (method = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', inside = '') =>
  `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignatureMethod Algorithm="${method}"/>${inside}</ds:Signature>`;
const status = (code: string) => `<p:Status><p:StatusCode Value="${code}"/></p:Status>`;

function response({ attributes = '', before = '', ...parts }: Parts = {}): string {
  const { assertion = `<a:Assertion ID="_a">${parts.signature ?? signature()}</a:Assertion>` } = parts;
  const names = `xmlns:p="${PROTOCOL}" xmlns:a="${ASSERTION}"`;
  return `<p:Response ${names} ID="_r" ${attributes}>${parts.status ?? status(SUCCESS)}${before}${assertion}</p:Response>`;
}

async function read(xml: string) {
  const document = await parseDomFromString(xml);
  return readEnvelope((path) => xpath.selectElements(document, path), expected);
}

test('says whether the response around a signed assertion is signed too', async () => {
  expect(await read(response())).toEqual({ isResponseSigned: false });
  expect(await read(response({ before: signature() }))).toEqual({ isResponseSigned: true });
});

test.each<[string, string, string]>([
  ['another document', '<p:Request xmlns:p="urn:other"/>', "the document isn't a response"],
  ['a response of another namespace', '<Response xmlns="urn:other"/>', "the document isn't a response"],
  ['17 levels', response({ before: `${'<x>'.repeat(16)}${'</x>'.repeat(16)}` }), 'it is nested too deeply'],
  ['a failed sign-in', response({ status: status('urn:denied') }), 'the provider did not sign anyone in'],
  ['no status', response({ status: '' }), 'the provider did not sign anyone in'],
  ['two results', response({ before: status(SUCCESS) }), 'the provider did not sign anyone in'],
  ['no assertion', response({ assertion: '' }), 'there must be exactly one assertion'],
  ['two', response({ before: '<a:Assertion ID="_b"/>' }), 'there must be exactly one assertion'],
  ['an encrypted one', response({ assertion: '<a:EncryptedAssertion/>' }), 'the assertion is in the wrong place'],
  ['one inside', response({ assertion: '<x><a:Assertion/></x>' }), 'the assertion is in the wrong place'],
  ['a foreign one', response({ assertion: '<Assertion xmlns="urn:x"/>' }), 'the assertion is in the wrong place'],
  ['one id twice', response({ before: '<x Id="_a"/>' }), 'an id appears twice'],
  ['no signature', response({ signature: '' }), 'the assertion must be signed once'],
  ['two', response({ signature: signature() + signature() }), 'the assertion must be signed once'],
  ['one elsewhere', response({ before: `<x>${signature()}</x>` }), 'a signature is in the wrong place'],
  [
    'a weak signature',
    response({ signature: signature('http://www.w3.org/2000/09/xmldsig#rsa-sha1') }),
    'SignatureMethod of an unsupported kind',
  ],
  [
    'a transform without a name',
    response({ signature: signature(undefined, '<Transform xmlns="http://www.w3.org/2000/09/xmldsig#"/>') }),
    'Transform of an unsupported kind',
  ],
  ['another address', response({ attributes: 'Destination="https://other.example"' }), 'Destination is not ours'],
  ['another request', response({ attributes: 'InResponseTo="_other"' }), 'InResponseTo is not ours'],
  [
    'another issuer',
    response({ before: '<a:Issuer>https://evil.example</a:Issuer>' }),
    'the response is from another issuer',
  ],
])('refuses %s', async (_what, xml, reason) => {
  await expect(read(xml)).rejects.toThrow(reason);
});

test('accepts our own address, request and issuer', async () => {
  const attributes = `Destination="${expected.acsUrl}" InResponseTo="${expected.requestId}"`;
  const before = `<a:Issuer> ${expected.issuer} </a:Issuer>`;
  expect(await read(response({ attributes, before }))).toEqual({ isResponseSigned: false });
});

test.each([
  ['a document type', '<!DOCTYPE x><x/>', 'a document type, a comment or a CDATA section'],
  ['a comment', '<x>a<!-- b -->c</x>', 'a document type, a comment or a CDATA section'],
  ['an instruction', '<?xml version="1.0"?><?php x?><x/>', 'a processing instruction'],
  ['1,500 tags', '<x/>'.repeat(1500), 'more elements or namespaces than a response has'],
  ['a tag of 11 namespaces', `<x ${'xmlns:a="u" '.repeat(11)}/>`, 'more elements or namespaces than a response has'],
  ['a long list of prefixes', `<x PrefixList="${'p '.repeat(101)}"/>`, 'more prefixes than a response has'],
])('refuses %s before any parser reads it', (_what, xml, reason) => {
  expect(() => requirePlainXml(xml)).toThrow(reason);
});

test('accepts a plain response with a declaration and a mark of its byte order', () => {
  expect(() => requirePlainXml(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n${response()}`)).not.toThrow();
});
