import { expect, test } from 'vitest';
import { readAssertion } from './saml-assertion.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const MINUTE_MS = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const expected = {
  issuer: 'https://idp.example.org',
  audience: 'https://kat.example/metadata',
  nowMs: NOW_MS,
  acsUrl: 'https://kat.example/acs',
  requestId: '_request',
};
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const facts = { Recipient: expected.acsUrl, InResponseTo: '_request', NotOnOrAfter: iso(NOW_MS + 5 * MINUTE_MS) };
const confirmation = (change: object = {}, Method = BEARER) => ({
  $: { Method },
  SubjectConfirmationData: [{ $: { ...facts, ...change } }],
});
const audience = (...names: string[]) => ({ Audience: names.map((_) => ({ _ })) });

/** As the library's parser gives it: what is undefined here is not there. */
const parts = {
  $: { ID: '_a', IssueInstant: iso(NOW_MS) },
  Issuer: [{ _: ` ${expected.issuer}\n` }],
  Conditions: [
    {
      $: { NotBefore: iso(NOW_MS), NotOnOrAfter: iso(NOW_MS + 5 * MINUTE_MS) },
      AudienceRestriction: [audience('https://other.example', ` ${expected.audience} `)],
    },
  ],
  AuthnStatement: ['', { $: { SessionIndex: '_s' } }],
};
const subject = (...confirmations: object[]) => ({
  Subject: [{ NameID: [{ _: ' ada ', $: { Format: 'persistent' } }], SubjectConfirmation: confirmations }],
});
const read = (change: object = {}) =>
  readAssertion(
    JSON.parse(JSON.stringify({ Assertion: { ...parts, ...subject(confirmation()), ...change } })),
    expected,
  );
const conditions = (change: object) => ({ Conditions: [{ ...parts.Conditions[0], ...change }] });
const sessionEnds = (...ends: string[]) => ({
  AuthnStatement: ends.map((end) => ({ $: { SessionNotOnOrAfter: end } })),
});

test('reads the name, and how long the assertion could be used again', () => {
  expect(read()).toEqual({
    id: '_a',
    nameId: 'ada',
    nameIdFormat: 'persistent',
    attributes: {},
    sessionNotAfterMs: null,
    expiresAtMs: NOW_MS + 6 * MINUTE_MS,
  });
});

test.each([
  ['a required part', { AuthnStatement: [] }, 'the assertion lacks a required part'],
  ['an audience', conditions({ AudienceRestriction: [] }), 'the assertion lacks a required part'],
  ['its own issuer', { Issuer: [{ _: 'https://evil.example' }] }, 'the assertion is from another issuer'],
  [
    'our audience in one of its restrictions',
    conditions({ AudienceRestriction: [audience(expected.audience), audience('https://other.example')] }),
    'it is addressed to another audience',
  ],
  ['an end', conditions({ $: { NotBefore: iso(NOW_MS) } }), 'the assertion has no validity period'],
  ['a readable end', conditions({ $: { NotOnOrAfter: 'tomorrow' } }), 'the assertion has no validity period'],
  [
    'a possible end',
    conditions({ $: { NotOnOrAfter: '2026-13-40T10:00:00Z' } }),
    'the assertion has no validity period',
  ],
  [
    'a readable start',
    conditions({ $: { NotBefore: '0', NotOnOrAfter: iso(NOW_MS + 1) } }),
    'the assertion has no validity period',
  ],
])('refuses an assertion without %s', (_what, change, reason) => {
  expect(() => read(change)).toThrow(reason);
});

test("accepts a provider's clock that is off by up to a minute, in either direction", () => {
  const from = (ms: number) => conditions({ $: { NotBefore: iso(ms), NotOnOrAfter: iso(ms + 5 * MINUTE_MS) } });
  expect(read(from(NOW_MS + MINUTE_MS)).id).toBe('_a');
  expect(() => read(from(NOW_MS + MINUTE_MS + 1))).toThrow('the assertion is not valid yet');
  const until = (ms: number) => conditions({ $: { NotOnOrAfter: iso(ms) } });
  expect(read(until(NOW_MS - MINUTE_MS + 1)).id).toBe('_a');
  expect(() => read(until(NOW_MS - MINUTE_MS))).toThrow('the assertion has expired');
});

test("ends with the earliest end of the provider's session, and refuses one that is over or unreadable", () => {
  const [soon, later] = [iso(NOW_MS + 1), iso(NOW_MS + MINUTE_MS)];
  expect(read(sessionEnds(later, soon)).sessionNotAfterMs).toBe(NOW_MS + 1);
  expect(() => read(sessionEnds(iso(NOW_MS), later))).toThrow("the provider's session has ended");
  expect(() => read(sessionEnds(later, 'never'))).toThrow("the provider's session has an invalid end time");
});

test.each([
  ['for another address', confirmation({ Recipient: 'https://other.example/acs' })],
  ['to another request', confirmation({ InResponseTo: '_other' })],
  ['to no request', confirmation({ InResponseTo: undefined })],
  ['with a start time', confirmation({ NotBefore: iso(NOW_MS) })],
  ['without an end', confirmation({ NotOnOrAfter: undefined })],
  ['that has expired', confirmation({ NotOnOrAfter: iso(NOW_MS - MINUTE_MS) })],
  ['of another method', confirmation({}, 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches')],
  ['without facts', { $: { Method: BEARER } }],
  ['with empty facts', { $: { Method: BEARER }, SubjectConfirmationData: [''] }],
  ['with facts twice', { $: { Method: BEARER }, SubjectConfirmationData: [{ $: facts }, { $: facts }] }],
])('refuses a confirmation %s, unless another one is valid', (_what, wrong) => {
  expect(() => read(subject(wrong))).toThrow(
    'no subject confirmation is valid for us, this request and the current time',
  );
  expect(read(subject(wrong, confirmation())).nameId).toBe('ada');
});

test('joins the values of an attribute, and leaves out what has no name or no text', () => {
  const attribute = (Name: string | undefined, ...values: unknown[]) => ({ $: { Name }, AttributeValue: values });
  const statement = (...list: object[]) => ({ Attribute: list });
  const AttributeStatement = [
    '',
    statement(
      attribute('mail', { _: ' ada@example.org ' }, '', { $: {} }, { _: ' ' }),
      attribute(undefined, { _: 'x' }),
    ),
    statement(attribute('mail', { _: 'ada@example.net' }), { $: { Name: 'groups' } }),
  ];
  expect(read({ AttributeStatement }).attributes).toEqual({
    mail: ['ada@example.org', 'ada@example.net'],
    groups: [],
  });
});

test('reads a name without a format', () => {
  const Subject = [{ NameID: [{ _: 'ada' }], SubjectConfirmation: [confirmation()] }];
  expect(read({ Subject }).nameIdFormat).toBe('');
});
