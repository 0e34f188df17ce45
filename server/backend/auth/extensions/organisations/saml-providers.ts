import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { SettingsRefused } from '../../../../platform/config/config.ts';
import { isLoopback } from '../../../../platform/loopback.ts';

export interface SamlProvider {
  readonly id: string;
  /** Lower case. Only addresses of these domains are accepted from this provider. */
  readonly domains: readonly string[];
  /** The provider's entity id: the issuer of its assertions. */
  readonly entityId: string;
  readonly entryPoint: string;
  /** PEM, of certificates or public keys; a signature by any of them is accepted. */
  readonly certificates: readonly string[];
  readonly attributeMapping: { readonly email: string | null; readonly name: string | null };
}

export interface SamlProviders {
  byId(id: string): SamlProvider | null;
  byDomain(domain: string): SamlProvider | null;
}

const MIN_RSA_BITS = 2048;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

const certificate = z
  .string()
  .check(
    z.refine(isVerifyingKey, `must be the PEM of an RSA certificate or public key of ${MIN_RSA_BITS} bits or more`),
  );
const name = z.string().check(z.minLength(1), z.maxLength(500));
const providerSchema = z.strictObject({
  id: z.uuid().check(z.toLowerCase()),
  domains: z
    .array(z.string().check(z.toLowerCase(), z.regex(DOMAIN, 'must be a domain such as example.org')))
    .check(z.minLength(1)),
  entityId: name,
  entryPoint: z.url().check(z.refine(isSafeEntryPoint, 'must begin with https:// (http:// only on this machine)')),
  certificate: z.optional(certificate),
  certificates: z.optional(z.array(certificate).check(z.minLength(1))),
  attributeMapping: z.optional(z.strictObject({ email: z.optional(name), name: z.optional(name) })),
});
const fileSchema = z.array(providerSchema);

/**
 * @param path of a JSON file: a list of {id, domains, entityId, entryPoint, certificate or certificates,
 * attributeMapping}. @throws SettingsRefused naming every fault, one per line
 */
export async function readSamlProviders(path: string): Promise<SamlProviders> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new SettingsRefused(`SAML_PROVIDERS_FILE cannot be read: ${path} (${reason}).`);
  }
  return samlProviders(parseProviders(text, path));
}

/** @throws SettingsRefused when two share an id, a domain or an entity id */
export function samlProviders(list: readonly SamlProvider[]): SamlProviders {
  const byId = new Map(list.map((provider) => [provider.id, provider]));
  const byDomain = new Map(list.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)));
  requireDistinct(
    'id',
    list.map(({ id }) => id),
  );
  requireDistinct(
    'domain',
    list.flatMap(({ domains }) => domains),
  );
  requireDistinct(
    'entityId',
    list.map(({ entityId }) => entityId),
  );
  return {
    byId: (id) => byId.get(id.toLowerCase()) ?? null,
    byDomain: (domain) => byDomain.get(domain.toLowerCase()) ?? null,
  };
}

function parseProviders(text: string, path: string): SamlProvider[] {
  const json = parsedJson(text);
  // The parser's message would quote the file, so it is dropped.
  if (json === undefined) throw new SettingsRefused(`SAML_PROVIDERS_FILE isn't JSON: ${path}`);
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'the file'}: ${faultOf(issue)}`);
    throw new SettingsRefused(`SAML_PROVIDERS_FILE (${path}) is not valid:\n${lines.join('\n')}`);
  }
  return parsed.data.map(({ certificate: one, certificates: several = [], attributeMapping = {}, ...provider }) => {
    const certificates = one === undefined ? several : [one, ...several];
    if (certificates.length === 0)
      throw new SettingsRefused(`SAML_PROVIDERS_FILE (${path}): provider ${provider.id} has no certificate.`);
    const { email = null, name: nameAttribute = null } = attributeMapping;
    return { ...provider, certificates, attributeMapping: { email, name: nameAttribute } };
  });
}

function faultOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `has no ${issue.keys.join(', ')}`;
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_format':
      return issue.message === 'Invalid input' ? `must be a ${issue.format}` : issue.message;
    case 'too_small':
      return 'must not be empty';
    default:
      return issue.message;
  }
}

function requireDistinct(what: string, values: readonly string[]): void {
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  if (twice !== undefined) throw new SettingsRefused(`SAML_PROVIDERS_FILE names the ${what} ${twice} twice.`);
}

/** Refuses keys of another kind, weak keys, and private keys, which don't belong here. */
function isVerifyingKey(pem: string): boolean {
  if (!/^\s*-----BEGIN (CERTIFICATE|PUBLIC KEY)-----/.test(pem)) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}

function isSafeEntryPoint(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}
