/** Signed SAML responses of an identity provider, and the forgeries that a service must refuse. */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { SignedXml } from 'xml-crypto';

export interface SamlPerson {
  nameId: string;
  nameIdFormat?: string;
  /** By name; each may have several values. */
  attributes: Readonly<Record<string, readonly string[]>>;
}

export interface SamlRequest {
  id: string;
  issuer: string;
  acsUrl: string;
}

export const SAML_FAULTS = [
  'unsigned',
  'foreign-key',
  'sha1',
  'hmac-with-public-key',
  'response-signed-alone',
  'broken-response-signature',
  'altered-after-signing',
  'wrapped-in-extensions',
  'wrapped-in-signature',
  'wrapped-by-forgery',
  'two-assertions',
  'repeated-id',
  'comment-in-name',
  'cdata-in-name',
  'document-type',
  'entity-in-name',
  'instruction-in-name',
  'other-issuer',
  'other-audience',
  'other-recipient',
  'other-destination',
  'other-request',
  'unasked',
  'too-early',
  'too-late',
  'session-over',
  'no-conditions',
  'no-subject-confirmation',
  'failed',
  'not-base64',
  'not-xml',
  'nested-without-end',
  'elements-without-end',
  'namespaces-without-end',
  'prefixes-without-end',
] as const;
export type SamlFault = (typeof SAML_FAULTS)[number];

export interface ResponseFacts {
  entityId: string;
  privateKey: KeyObject;
  /** A key unknown to the service. */
  strangersKey: KeyObject;
  request: SamlRequest;
  person: SamlPerson;
  nowMs: number;
  signsResponse: boolean;
  fault: SamlFault | null;
  /** Set to test that an assertion is accepted only once. */
  assertionId?: string;
}

const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const MINUTE_MS = 60_000;
export const FORGED_EMAIL = 'admin@example.org';

/** @returns the form field's value: base64 of XML */
export function samlResponse(facts: ResponseFacts): string {
  const { fault } = facts;
  if (fault === 'not-base64') return '<samlp:Response/>';
  if (fault === 'not-xml') return encode('<samlp:Response');
  if (fault === 'nested-without-end') return encode('<a>'.repeat(5000) + '</a>'.repeat(5000));
  return encode(forged(facts, honest(facts)));
}

/** Valid, except for a fault that the provider itself can make. */
function honest(facts: ResponseFacts): string {
  const response = responseXml(facts, assertionXml(facts));
  const signed = facts.fault === 'response-signed-alone' ? response : signAssertion(facts, response);
  const isResponseSigned =
    facts.signsResponse || facts.fault === 'response-signed-alone' || facts.fault === 'broken-response-signature';
  return isResponseSigned ? sign(signed, '/*', facts, facts.privateKey) : signed;
}

/** Changes made by an attacker afterwards. */
function forged(facts: ResponseFacts, xml: string): string {
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(assertion)?.[0] ?? '';
  const unsigned = assertion.replace(signature, '');
  const forgery = withoutSignature(assertion, facts);
  switch (facts.fault) {
    case 'unsigned':
      return xml.replace(signature, '');
    case 'altered-after-signing':
      return xml.replaceAll(emailOf(facts), FORGED_EMAIL);
    case 'broken-response-signature':
      return xml.replace('Version="2.0"', 'Version="2.0" Consent="altered"');
    case 'wrapped-in-extensions':
      return xml.replace(assertion, `<samlp:Extensions>${assertion}</samlp:Extensions>${forgery}`);
    case 'wrapped-in-signature': {
      const holding = signature.replace('</ds:Signature>', `<ds:Object>${unsigned}</ds:Object></ds:Signature>`);
      return xml.replace(assertion, forgery.replace('<saml:Subject>', `${holding}<saml:Subject>`));
    }
    case 'wrapped-by-forgery':
      return xml.replace(assertion, forgery.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`));
    case 'two-assertions':
      return xml.replace(assertion, `${forgery}${assertion}`);
    case 'repeated-id': {
      const id = /ID="([^"]+)"/.exec(assertion)?.[1] ?? '';
      return xml.replace(assertion, `${forgery.replace(/ID="[^"]+"/, `ID="${id}"`)}${assertion}`);
    }
    case 'comment-in-name':
      return xml.replace(
        facts.person.nameId,
        `${facts.person.nameId.slice(0, 3)}<!-- -->${facts.person.nameId.slice(3)}`,
      );
    case 'cdata-in-name':
      return xml.replace(facts.person.nameId, `<![CDATA[${facts.person.nameId}]]>`);
    case 'document-type':
      return `<!DOCTYPE samlp:Response SYSTEM "http://127.0.0.1:9/never.dtd">${xml}`;
    case 'entity-in-name':
      return `<!DOCTYPE r [<!ENTITY who "${facts.person.nameId}">]>${xml.replace(facts.person.nameId, '&who;')}`;
    case 'instruction-in-name':
      return xml.replace(facts.person.nameId, `${facts.person.nameId}<?note?>`);
    case 'elements-without-end':
      return xml.replace('</saml:Subject>', `${'<a/>'.repeat(9000)}</saml:Subject>`);
    case 'namespaces-without-end': {
      const namespaces = Array.from({ length: 600 }, (_, at) => `<a xmlns:n${at}="u">`).join('');
      return xml.replace('</saml:Subject>', `${namespaces}${'</a>'.repeat(600)}</saml:Subject>`);
    }
    case 'prefixes-without-end': {
      const prefixes = Array.from({ length: 3000 }, (_, at) => `n${at}`).join(' ');
      const transform = `<ds:Transform Algorithm="${EXC_C14N}"`;
      return xml.replace(
        `${transform}/>`,
        `${transform}><InclusiveNamespaces xmlns="${EXC_C14N}" PrefixList="${prefixes}"/></ds:Transform>`,
      );
    }
    default:
      return xml;
  }
}

function withoutSignature(assertion: string, facts: ResponseFacts): string {
  return assertion
    .replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
    .replace(/ID="[^"]+"/, `ID="${newId()}"`)
    .replaceAll(emailOf(facts), FORGED_EMAIL);
}

function emailOf({ person }: ResponseFacts): string {
  return (
    Object.values(person.attributes)
      .flat()
      .find((value) => value.includes('@')) ?? person.nameId
  );
}

function responseXml(facts: ResponseFacts, assertion: string): string {
  const { request, fault, entityId } = facts;
  const destination = fault === 'other-destination' ? 'https://elsewhere.example/acs' : request.acsUrl;
  const answers = fault === 'unasked' ? '' : ` InResponseTo="${inResponseTo(facts)}"`;
  const status = fault === 'failed' ? 'Requester' : 'Success';
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${iso(facts.nowMs)}" Destination="${escapeMarkup(destination)}"${answers}><saml:Issuer>${escapeMarkup(entityId)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${assertion}</samlp:Response>`;
}

function assertionXml(facts: ResponseFacts): string {
  const { request, person, fault, entityId, nowMs } = facts;
  const shiftMs = fault === 'too-early' ? 10 * MINUTE_MS : fault === 'too-late' ? -20 * MINUTE_MS : 0;
  const fromMs = nowMs + shiftMs;
  const until = iso(fromMs + 5 * MINUTE_MS);
  const issuer = fault === 'other-issuer' ? 'https://other.example/entity' : entityId;
  const recipient = fault === 'other-recipient' ? 'https://elsewhere.example/acs' : request.acsUrl;
  const audience = fault === 'other-audience' ? 'https://elsewhere.example' : request.issuer;
  const answers = fault === 'unasked' ? '' : ` InResponseTo="${inResponseTo(facts)}"`;
  const format = person.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  const confirmation = `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${escapeMarkup(recipient)}"${answers}/></saml:SubjectConfirmation>`;
  const conditions = `<saml:Conditions NotBefore="${iso(fromMs)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${escapeMarkup(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`;
  const sessionMs = fault === 'session-over' ? nowMs - 10 * MINUTE_MS : nowMs + 480 * MINUTE_MS;
  const attributes = Object.entries(person.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escapeMarkup(name)}">${values.map((value) => `<saml:AttributeValue>${escapeMarkup(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  return `<saml:Assertion ID="${facts.assertionId ?? newId()}" Version="2.0" IssueInstant="${iso(nowMs)}"><saml:Issuer>${escapeMarkup(issuer)}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${escapeMarkup(person.nameId)}</saml:NameID>${fault === 'no-subject-confirmation' ? '' : confirmation}</saml:Subject>${fault === 'no-conditions' ? '' : conditions}<saml:AuthnStatement AuthnInstant="${iso(nowMs)}" SessionNotOnOrAfter="${iso(sessionMs)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`;
}

function inResponseTo({ request, fault }: ResponseFacts): string {
  return fault === 'other-request' ? newId() : request.id;
}

function signAssertion(facts: ResponseFacts, xml: string): string {
  const key = facts.fault === 'foreign-key' ? facts.strangersKey : facts.privateKey;
  return sign(xml, "/*/*[local-name()='Assertion']", facts, key);
}

function sign(xml: string, path: string, facts: ResponseFacts, key: KeyObject): string {
  const isHmac = facts.fault === 'hmac-with-public-key';
  const isSha1 = facts.fault === 'sha1';
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const signer = new SignedXml({
    privateKey: isHmac ? publicKey : key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signatureAlgorithm: signatureMethod({ isHmac, isSha1 }),
    canonicalizationAlgorithm: EXC_C14N,
    // The forger includes the key: a service that trusts it accepts the forgery.
    getKeyInfoContent: () => `<ds:KeyName>${escapeMarkup(publicKey)}</ds:KeyName>`,
  });
  if (isHmac) signer.enableHMAC();
  signer.addReference({
    xpath: path,
    transforms: [ENVELOPED, EXC_C14N],
    digestAlgorithm: isSha1 ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${path}/*[local-name()='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

function signatureMethod({ isHmac, isSha1 }: { isHmac: boolean; isSha1: boolean }): string {
  if (isHmac) return 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
  return isSha1 ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
}

function newId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function encode(xml: string): string {
  return Buffer.from(xml, 'utf8').toString('base64');
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
