import * as z from 'zod/mini';
import { SamlRefused } from './saml-document.ts';

export interface SamlAssertion {
  id: string;
  nameId: string;
  nameIdFormat: string;
  attributes: Readonly<Record<string, readonly string[]>>;
  /** From this time on it would be refused as expired. */
  expiresAtMs: number;
  /** When the provider's own session ends; null if not stated. */
  sessionNotAfterMs: number | null;
}

export interface ExpectedAssertion {
  issuer: string;
  /** Our own entity id, which it must be addressed to. */
  audience: string;
  acsUrl: string;
  requestId: string;
  nowMs: number;
}

/** How far a provider's clock may be off. */
const CLOCK_SKEW_MS = 60_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** The parser turns elements without text or attributes into empty text. */
const fields = z._default(z.record(z.string(), z.string()), {});
const text = z.object({ _: z.string(), $: fields });
const empty = z.literal('');
const conditionsSchema = z.object({
  $: fields,
  AudienceRestriction: z.array(z.object({ Audience: z.array(text) })).check(z.minLength(1)),
});
const assertionSchema = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().check(z.minLength(1)), IssueInstant: z.string() }),
    Issuer: z.tuple([text]),
    Subject: z.tuple([
      z.object({
        NameID: z.tuple([text]),
        SubjectConfirmation: z.array(
          z.object({
            $: fields,
            SubjectConfirmationData: z.optional(z.array(z.union([empty, z.object({ $: fields })]))),
          }),
        ),
      }),
    ]),
    Conditions: z.tuple([conditionsSchema]),
    AuthnStatement: z.array(z.union([empty, z.object({ $: fields })])).check(z.minLength(1)),
    AttributeStatement: z._default(
      z.array(
        z.union([
          empty,
          z.object({
            Attribute: z._default(
              z.array(
                z.object({
                  $: fields,
                  AttributeValue: z._default(
                    z.array(z.union([empty, z.looseObject({ _: z.optional(z.string()) })])),
                    [],
                  ),
                }),
              ),
              [],
            ),
          }),
        ]),
      ),
      [],
    ),
  }),
});

/** @param signed the assertion as covered by its signature, in the parser's form. @throws SamlRefused */
export function readAssertion(signed: unknown, expected: ExpectedAssertion): SamlAssertion {
  const parsed = assertionSchema.safeParse(signed);
  if (!parsed.success) throw new SamlRefused('the assertion lacks a required part', { cause: parsed.error });
  const { Assertion: assertion } = parsed.data;
  if (assertion.Issuer[0]._.trim() !== expected.issuer) throw new SamlRefused('the assertion is from another issuer');
  const [subject] = assertion.Subject;
  const [conditions] = assertion.Conditions;
  requireTime(conditions.$, expected.nowMs);
  for (const { Audience } of conditions.AudienceRestriction)
    if (!Audience.some(({ _ }) => _.trim() === expected.audience))
      throw new SamlRefused('it is addressed to another audience');
  const sessionNotAfterMs = sessionEndMs(assertion.AuthnStatement);
  if (sessionNotAfterMs !== null && expected.nowMs >= sessionNotAfterMs)
    throw new SamlRefused("the provider's session has ended");
  const untilMs = confirmedUntilMs(subject.SubjectConfirmation, expected);
  const nameId = subject.NameID[0];
  return {
    id: assertion.$.ID,
    nameId: nameId._.trim(),
    nameIdFormat: nameId.$.Format ?? '',
    attributes: attributesOf(assertion.AttributeStatement),
    expiresAtMs: untilMs + CLOCK_SKEW_MS,
    sessionNotAfterMs,
  };
}

type Confirmation = z.infer<typeof assertionSchema>['Assertion']['Subject'][0]['SubjectConfirmation'][number];
type AuthnStatement = z.infer<typeof assertionSchema>['Assertion']['AuthnStatement'][number];
type AttributeStatement = z.infer<typeof assertionSchema>['Assertion']['AttributeStatement'][number];

/** One confirmation must match in full: for a bearer, at our address, in answer to our request, not yet expired. */
function confirmedUntilMs(confirmations: readonly Confirmation[], expected: ExpectedAssertion): number {
  for (const { $, SubjectConfirmationData: data = [] } of confirmations) {
    const [facts] = data;
    if ($.Method !== BEARER || data.length !== 1 || facts === undefined || facts === '') continue;
    const { Recipient, InResponseTo, NotOnOrAfter, NotBefore } = facts.$;
    const untilMs = timeMs(NotOnOrAfter);
    const isOurs = Recipient === expected.acsUrl && InResponseTo === expected.requestId;
    // A bearer's confirmation must not have a start time: SAML 2.0 profiles, 4.1.4.2.
    if (isOurs && NotBefore === undefined && untilMs !== null && expected.nowMs < untilMs + CLOCK_SKEW_MS)
      return untilMs;
  }
  throw new SamlRefused('no subject confirmation is valid for us, this request and the current time');
}

function requireTime(conditions: Readonly<Record<string, string>>, nowMs: number): void {
  const { NotBefore, NotOnOrAfter } = conditions;
  const fromMs = NotBefore === undefined ? Number.NEGATIVE_INFINITY : timeMs(NotBefore);
  const untilMs = timeMs(NotOnOrAfter);
  if (fromMs === null || untilMs === null) throw new SamlRefused('the assertion has no validity period');
  if (nowMs + CLOCK_SKEW_MS < fromMs) throw new SamlRefused('the assertion is not valid yet');
  if (nowMs - CLOCK_SKEW_MS >= untilMs) throw new SamlRefused('the assertion has expired');
}

/** The earliest end that a statement gives. @throws SamlRefused when one isn't a valid time */
function sessionEndMs(statements: readonly AuthnStatement[]): number | null {
  const ends = statements.flatMap((statement) => {
    const end = statement === '' ? undefined : statement.$.SessionNotOnOrAfter;
    return end === undefined ? [] : [timeMs(end) ?? Number.NEGATIVE_INFINITY];
  });
  if (ends.length === 0) return null;
  const earliestMs = Math.min(...ends);
  if (!Number.isFinite(earliestMs)) throw new SamlRefused("the provider's session has an invalid end time");
  return earliestMs;
}

function timeMs(instant: string | undefined): number | null {
  if (instant === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(instant))
    return null;
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? null : ms;
}

function attributesOf(statements: readonly AttributeStatement[]): Record<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const statement of statements) {
    if (statement === '') continue;
    for (const { $, AttributeValue: values } of statement.Attribute) {
      if ($.Name === undefined) continue;
      const texts = values.flatMap((value) => (value === '' || value._ === undefined ? [] : [value._.trim()]));
      found.set($.Name, [...(found.get($.Name) ?? []), ...texts.filter((one) => one !== '')]);
    }
  }
  return Object.fromEntries(found);
}
