/** What a provider, or an attacker in its name, may send that must not sign anyone in. */
import { beforeEach, expect, test } from 'vitest';
import { SAML_FAULTS } from '../../sandbox/identity/testing/saml-response.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { processorMs } from '../../server/platform/testing/processor-time.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { BACK, errorIn, PROVIDER_ID, samlWorld } from './support/auth/saml.ts';

const ADA = { nameId: 'ada@example.org', attributes: { email: ['ada@example.org'] } };
const REFUSED = { code: 'validation_failed', description: 'SAML Assertion is not valid' };

describeOneDatabase('SAML response', (kind) => {
  const world = openedForTests(() => samlWorld(kind));

  beforeEach(() => {
    world().provider.signInAs(ADA);
    world().provider.misbehave(null);
    world().provider.repeatAssertionId(null);
  });

  async function startedForm(): Promise<URLSearchParams> {
    const { data } = await world()
      .visitor()
      .auth.signInWithSSO({
        providerId: PROVIDER_ID,
        options: { redirectTo: BACK },
      });
    return world().visit(data?.url ?? '');
  }

  const accounts = async () =>
    (await world().server.database.query(OWNER, 'select count(*)::int as n from auth.users'))[0]?.n;

  test.each(SAML_FAULTS)('is refused with %s, without details for the page', async (fault) => {
    const before = await accounts();
    world().provider.misbehave(fault);

    const { status, location } = await world().consume(await startedForm());

    expect(status).toBe(303);
    expect(`${location.origin}${location.pathname}`).toBe(BACK);
    expect(errorIn(location)).toEqual(REFUSED);
    expect(await accounts()).toBe(before);
  });

  test.each(['nested-without-end', 'elements-without-end', 'namespaces-without-end', 'prefixes-without-end'] as const)(
    'takes less than a second of processor time with %s',
    async (fault) => {
      world().provider.misbehave(fault);
      const form = await startedForm();

      const startedMs = processorMs();
      await world().consume(form);

      expect(processorMs() - startedMs).toBeLessThan(1000);
    },
  );

  test('is accepted with 400 groups', async () => {
    const groups = Array.from({ length: 400 }, (_, at) => `group ${at}`);
    world().provider.signInAs({ ...ADA, attributes: { ...ADA.attributes, groups } });

    const { location } = await world().consume(await startedForm());

    expect(location.hash).toContain('access_token=');
  });

  test('opens one session, however often it is sent', async () => {
    const form = await startedForm();

    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => world().consume(form)));
    const late = await world().consume(form);

    expect(answers.filter(({ location }) => location.hash.includes('access_token=')).length).toBe(1);
    expect(errorIn(late.location).code).toBe('saml_relay_state_not_found');
  });

  test('is refused when its assertion was used before, even for a new request', async () => {
    world().provider.repeatAssertionId('_once');
    const first = await world().consume(await startedForm());

    const second = await world().consume(await startedForm());

    expect(first.location.hash).toContain('access_token=');
    expect(errorIn(second.location)).toEqual(REFUSED);
  });

  test('is refused for a request other than its own', async () => {
    const [mine, theirs] = [await startedForm(), await startedForm()];
    mine.set('SAMLResponse', theirs.get('SAMLResponse') ?? '');

    const { location } = await world().consume(mine);

    expect(errorIn(location)).toEqual(REFUSED);
  });

  test('is refused without a request of ours', async () => {
    const form = await startedForm();
    form.delete('RelayState');

    const { location } = await world().consume(form);

    expect(location.origin).toBe(world().server.url);
    expect(errorIn(location).code).toBe('validation_failed');
  });

  test('is refused after seven minutes on the product clock', async () => {
    const form = await startedForm();
    world().server.advance(7 * 60_000);

    const { location } = await world().consume(form);

    expect(errorIn(location)).toEqual(REFUSED);
  });

  test.each<[string, typeof ADA & { nameIdFormat?: string }, string]>([
    ['an address of a foreign domain', person('ada@elsewhere.example'), 'email_address_not_authorized'],
    ['an address that ends like ours', person('ada@notexample.org'), 'email_address_not_authorized'],
    ['an address below our domain', person('ada@sub.example.org'), 'email_address_not_authorized'],
    ['two addresses in one', person('ada@example.org,eve@evil.example'), 'saml_assertion_no_email'],
    ['no address', { nameId: 'x', attributes: { email: [] } }, 'saml_assertion_no_email'],
    ['what is no address', person('ada'), 'saml_assertion_no_email'],
    [
      'a name for this session alone',
      { ...ADA, nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      'saml_assertion_no_user_id',
    ],
    ['a name beyond all measure', { ...ADA, nameId: 'x'.repeat(501) }, 'saml_assertion_no_user_id'],
  ])('is refused for a person with %s', async (_what, who, code) => {
    world().provider.signInAs(who);

    const { location } = await world().consume(await startedForm());

    expect(errorIn(location).code).toBe(code);
  });

  test.each<[string, BodyInit, string, number]>([
    ['no form', '{}', 'application/json', 303],
    ['an empty form', '', 'application/x-www-form-urlencoded', 303],
    ['a form beyond 64 KiB', `RelayState=${'x'.repeat(66_000)}`, 'application/x-www-form-urlencoded', 303],
  ])('is refused when sent as %s', async (_what, body, type, status) => {
    const answer = await fetch(`${world().server.url}/auth/v1/sso/saml/acs`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      redirect: 'manual',
    });

    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toContain('error_code=validation_failed');
  });

  function person(email: string) {
    return { nameId: 'person-9', attributes: { email: [email] } };
  }
});
