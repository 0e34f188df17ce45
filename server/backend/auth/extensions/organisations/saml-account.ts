/**
 * Finds the account that a signed assertion opens. Accounts of organisations are separate: none is ever joined to
 * another by its address, and a provider may only assert addresses in its configured domains.
 */
import { randomUUID } from 'node:crypto';
import type { Queries } from '../../../../platform/database/database.ts';
import { normalEmail } from '../../auth-deps.ts';
import { AuthError } from '../../auth-error.ts';
import type { SamlAssertion } from './saml-assertion.ts';
import type { SamlProvider } from './saml-providers.ts';

export interface SamlPerson {
  subject: string;
  email: string;
  name: string | null;
}

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const MAX_SUBJECT_LENGTH = 500;
const MAX_NAME_LENGTH = 200;
/** Providers' names for the email attribute, if the operator's file names none. */
const EMAIL_ATTRIBUTES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
  'Email',
];
const NAME_ATTRIBUTES = [
  'urn:oid:2.16.840.1.113730.3.1.241',
  'displayName',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'name',
];

/** @throws AuthError 400 saml_assertion_no_user_id, saml_assertion_no_email; 403 email_address_not_authorized */
export function personOf(assertion: SamlAssertion, provider: SamlProvider): SamlPerson {
  const { nameId, nameIdFormat, attributes } = assertion;
  if (nameId === '' || nameId.length > MAX_SUBJECT_LENGTH || nameIdFormat === TRANSIENT)
    throw new AuthError(
      400,
      'saml_assertion_no_user_id',
      'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
    );
  const { email: emailName, name: nameName } = provider.attributeMapping;
  const fromAttributes = firstOf(attributes, emailName === null ? EMAIL_ATTRIBUTES : [emailName]);
  const found = fromAttributes ?? (emailName === null && nameIdFormat === EMAIL_FORMAT ? nameId : null);
  const email = found === null ? null : normalEmail(found);
  if (email === null)
    throw new AuthError(400, 'saml_assertion_no_email', 'SAML Assertion does not contain an email address');
  if (!provider.domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new AuthError(
      403,
      'email_address_not_authorized',
      'This email address does not belong to a domain of the identity provider',
    );
  const name = firstOf(attributes, nameName === null ? NAME_ATTRIBUTES : [nameName]);
  return { subject: nameId, email, name: name?.slice(0, MAX_NAME_LENGTH) ?? null };
}

function firstOf(attributes: SamlAssertion['attributes'], names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name]?.[0] : undefined;
    if (value !== undefined) return value;
  }
  return null;
}

/** Created if new; its address and name follow the provider. Runs in a transaction. @returns the user's id */
export async function accountOfPerson(
  queries: Queries,
  person: SamlPerson,
  provider: SamlProvider,
  nowIso: string,
): Promise<string> {
  const providerName = `sso:${provider.id}`;
  // Serializes simultaneous first sign-ins of one person; otherwise one would leave an account without an identity.
  await queries.query('select pg_advisory_xact_lock(hashtextextended($1::text, 0))', [
    `saml\n${providerName}\n${person.subject}`,
  ]);
  const names = person.name === null ? {} : { name: person.name, full_name: person.name };
  const data = { iss: provider.entityId, sub: person.subject, email: person.email, ...names };
  const identity = JSON.stringify({ ...data, email_verified: true, phone_verified: false });
  const known = await queries.query<{ userId: string }>(
    `update auth.identities set identity_data = $3::text::jsonb, last_sign_in_at = $4::text::timestamptz,
       updated_at = $4::text::timestamptz
     where provider = $1::text and provider_id = $2::text returning user_id::text as "userId"`,
    [providerName, person.subject, identity, nowIso],
  );
  const knownId = known[0]?.userId;
  if (knownId !== undefined) {
    await queries.query(
      `update auth.users set email = $2::text, email_confirmed_at = coalesce(email_confirmed_at, $3::text::timestamptz),
         updated_at = $3::text::timestamptz
       where id = $1::text::uuid and is_sso_user and email is distinct from $2::text`,
      [knownId, person.email, nowIso],
    );
    return knownId;
  }
  const id = randomUUID();
  await queries.query(
    `insert into auth.users (id, email, email_confirmed_at, is_sso_user, raw_app_meta_data, raw_user_meta_data, created_at,
       updated_at)
     values ($1::text::uuid, $2::text, $3::text::timestamptz, true, $4::text::jsonb, $5::text::jsonb,
       $3::text::timestamptz, $3::text::timestamptz)`,
    [id, person.email, nowIso, JSON.stringify({ provider: providerName, providers: [providerName] }), identity],
  );
  await queries.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::text, $2::text::uuid, $3::text::jsonb, $4::text, $5::text::timestamptz, $5::text::timestamptz,
       $5::text::timestamptz)`,
    [person.subject, id, identity, providerName, nowIso],
  );
  return id;
}
