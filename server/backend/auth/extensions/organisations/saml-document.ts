/**
 * Checks the form of a SAML response before its signature is verified. Most attacks on SAML use XML that a provider
 * never sends (document types, comments inside names, a second assertion, a misplaced signature), so anything but the
 * plain form is refused.
 */

/** The parts of an element used here, independent of the parser. */
export interface XmlElement {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

export type SelectElements = (path: string) => readonly XmlElement[];

export class SamlRefused extends Error {
  override readonly name = 'SamlRefused';
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const SIGNATURE_METHODS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);
const DIGEST_METHODS = new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']);
const CANONICAL_FORMS = new Set(['http://www.w3.org/2001/10/xml-exc-c14n#']);
const TRANSFORMS = new Set([...CANONICAL_FORMS, 'http://www.w3.org/2000/09/xmldsig#enveloped-signature']);

/**
 * Checking a signature takes quadratic time in elements and namespaces: 10,000 elements in 47 KB took eight seconds
 * (measured), and sending them needs no sign-in. Responses with hundreds of groups stay below these limits.
 */
const MAX_TAGS = 1500;
const MAX_NAMESPACES_PER_TAG = 10;
const MAX_DEPTH = 16;
const MAX_PREFIX_LIST_LENGTH = 200;

/**
 * Runs before any parser: refuses document types, entities, comments, CDATA, instructions other than the XML
 * declaration, and sizes that can't be checked quickly. @throws SamlRefused
 */
export function requirePlainXml(xml: string): void {
  const body = xml.replace(/^\uFEFF?\s*<\?xml\s[^<>]*\?>/, '');
  if (body.includes('<!')) throw new SamlRefused('a document type, a comment or a CDATA section');
  if (body.includes('<?')) throw new SamlRefused('a processing instruction');
  const tags = body.split('<');
  if (tags.length > MAX_TAGS || tags.some((tag) => tag.split('xmlns').length - 1 > MAX_NAMESPACES_PER_TAG))
    throw new SamlRefused('more elements or namespaces than a response has');
  for (const [, list = ''] of body.matchAll(/PrefixList\s*=\s*["']([^"']*)/g))
    if (list.length > MAX_PREFIX_LIST_LENGTH) throw new SamlRefused('more prefixes than a response has');
}

export interface ResponseEnvelope {
  isResponseSigned: boolean;
}

/** One response, one assertion, signatures only in their places, and strong algorithms. @throws SamlRefused */
export function readEnvelope(
  select: SelectElements,
  expected: { acsUrl: string; issuer: string; requestId: string },
): ResponseEnvelope {
  const [response] = select('/*');
  if (response?.localName !== 'Response' || response.namespaceURI !== PROTOCOL)
    throw new SamlRefused("the document isn't a response");
  if (select('/*'.repeat(MAX_DEPTH + 1)).length > 0) throw new SamlRefused('it is nested too deeply');
  requireStatus(select);
  const assertions = select("//*[local-name()='Assertion' or local-name()='EncryptedAssertion']");
  const [assertion] = assertions;
  if (assertion === undefined || assertions.length > 1) throw new SamlRefused('there must be exactly one assertion');
  if (select("/*/*[local-name()='Assertion']").length !== 1 || assertion.namespaceURI !== ASSERTION)
    throw new SamlRefused('the assertion is in the wrong place');
  requireDistinctIds(select);
  requireKnownSignatures(select);
  requireAttribute(response, 'Destination', expected.acsUrl);
  requireAttribute(response, 'InResponseTo', expected.requestId);
  for (const issuer of select("/*/*[local-name()='Issuer']"))
    if (issuer.textContent?.trim() !== expected.issuer) throw new SamlRefused('the response is from another issuer');
  return { isResponseSigned: select("/*/*[local-name()='Signature']").length > 0 };
}

function requireStatus(select: SelectElements): void {
  const codes = select("/*/*[local-name()='Status']/*[local-name()='StatusCode']");
  if (codes.length !== 1 || codes[0]?.getAttribute('Value') !== SUCCESS)
    throw new SamlRefused('the provider did not sign anyone in');
}

function requireDistinctIds(select: SelectElements): void {
  const ids = select('//*[@ID or @Id or @id]').flatMap((element) =>
    ['ID', 'Id', 'id'].map((name) => element.getAttribute(name)).filter((id) => id !== null && id !== ''),
  );
  if (new Set(ids).size !== ids.length) throw new SamlRefused('an id appears twice');
}

/** node-saml would also accept SHA-1. */
function requireKnownSignatures(select: SelectElements): void {
  const all = select("//*[local-name()='Signature']").length;
  const inPlace = select(
    "/*[local-name()='Response']/*[local-name()='Signature'] | /*/*[local-name()='Assertion']/*[local-name()='Signature']",
  ).length;
  if (all !== inPlace) throw new SamlRefused('a signature is in the wrong place');
  if (select("/*/*[local-name()='Assertion']/*[local-name()='Signature']").length !== 1)
    throw new SamlRefused('the assertion must be signed once');
  const allowed: readonly (readonly [string, ReadonlySet<string>])[] = [
    ['SignatureMethod', SIGNATURE_METHODS],
    ['DigestMethod', DIGEST_METHODS],
    ['CanonicalizationMethod', CANONICAL_FORMS],
    ['Transform', TRANSFORMS],
  ];
  for (const [name, algorithms] of allowed)
    for (const element of select(`//*[local-name()='${name}']`))
      if (!algorithms.has(element.getAttribute('Algorithm') ?? ''))
        throw new SamlRefused(`${name} of an unsupported kind`);
}

function requireAttribute(element: XmlElement, name: string, expected: string): void {
  const value = element.getAttribute(name) ?? '';
  // Providers may omit them here: the signed assertion contains both again.
  if (value !== '' && value !== expected) throw new SamlRefused(`${name} is not ours`);
}
