/**
 * The only file that uses @node-saml/node-saml: the request that sends a browser to a provider, its response, and our
 * own metadata. The library verifies the signature. Its time checks use the system's clock, so they are switched off
 * and made on the signed assertion by the product's clock (saml-assertion.ts).
 */
import { randomBytes } from 'node:crypto';
import { readAssertion, type SamlAssertion } from './saml-assertion.ts';
import { readEnvelope, requirePlainXml, SamlRefused } from './saml-document.ts';
import type { SamlProvider } from './saml-providers.ts';

export interface OurSaml {
  /** Our entity id, which is also the address of our metadata. */
  metadataUrl: string;
  acsUrl: string;
}

const PERSISTENT_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const NO_TIME_CHECKS = -1;

/** Loaded when the first organisation signs in, to keep startup fast. */
async function library() {
  const [{ SAML, ValidateInResponseTo, generateServiceProviderMetadata }, xml] = await Promise.all([
    import('@node-saml/node-saml'),
    import('@node-saml/node-saml/lib/xml.js'),
  ]);
  return { SAML, ValidateInResponseTo, generateServiceProviderMetadata, xml };
}

/** @returns the address to send the browser to, and the request id that the response must contain */
export async function authnRequest(
  provider: SamlProvider,
  ours: OurSaml,
  relayState: string,
): Promise<{ url: string; requestId: string }> {
  const { SAML } = await library();
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const saml = new SAML({
    ...base(provider, ours),
    entryPoint: provider.entryPoint,
    identifierFormat: PERSISTENT_ID,
    // The organisation decides how its people authenticate.
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
  });
  return { url: await saml.getAuthorizeUrlAsync(relayState, undefined, {}), requestId };
}

/** @param samlResponse base64. @throws SamlRefused with the reason for the log; it contains nothing of the response */
export async function verifyResponse(
  provider: SamlProvider,
  ours: OurSaml,
  answer: { samlResponse: string; requestId: string; nowMs: number },
): Promise<SamlAssertion> {
  const { samlResponse, requestId, nowMs } = answer;
  const { SAML, ValidateInResponseTo, xml } = await library();
  const text = xmlOf(samlResponse);
  requirePlainXml(text);
  const document = await refuseOnError('it is unreadable', () => xml.parseDomFromString(text));
  const expected = { acsUrl: ours.acsUrl, issuer: provider.entityId, requestId };
  const { isResponseSigned } = await refuseOnError('it is nested too deeply', async () =>
    readEnvelope((path) => xml.xpath.selectElements(document, path), expected),
  );
  const saml = new SAML({
    ...base(provider, ours),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: isResponseSigned,
    audience: ours.metadataUrl,
    acceptedClockSkewMs: NO_TIME_CHECKS,
    validateInResponseTo: ValidateInResponseTo.never,
  });
  const container = { SAMLResponse: Buffer.from(text, 'utf8').toString('base64') };
  const { profile } = await refuseOnError('its signature or audience is invalid', () =>
    saml.validatePostResponseAsync(container),
  );
  return readAssertion(profile?.getAssertion?.(), {
    ...expected,
    audience: ours.metadataUrl,
    nowMs,
  });
}

export async function serviceMetadata(ours: OurSaml): Promise<string> {
  const { generateServiceProviderMetadata } = await library();
  return generateServiceProviderMetadata({
    issuer: ours.metadataUrl,
    callbackUrl: ours.acsUrl,
    identifierFormat: PERSISTENT_ID,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${randomBytes(20).toString('hex')}`,
  });
}

function base(provider: SamlProvider, ours: OurSaml) {
  return { issuer: ours.metadataUrl, callbackUrl: ours.acsUrl, idpCert: [...provider.certificates] };
}

function xmlOf(samlResponse: string): string {
  const base64 = samlResponse.replace(/\s+/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlRefused("it isn't base64");
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch (cause) {
    throw new SamlRefused("it isn't UTF-8", { cause });
  }
}

async function refuseOnError<T>(reason: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof SamlRefused ? cause : new SamlRefused(reason, { cause });
  }
}
