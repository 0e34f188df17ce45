/**
 * The fake sign-in providers as browsers reach them: only under this machine's names, with a page that needs no
 * script.
 */
import { expect, test } from 'vitest';
import { startIdentitySandbox } from '../../sandbox/identity/identity-sandbox.ts';
import { requestUnderName } from '../../sandbox/testing/request-under-name.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const SITE = 'http://localhost:4321';

const opened = openedForTests(() => startIdentitySandbox());

function signInAddress(): string {
  const { url, clientId } = opened().github;
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${SITE}/auth/v1/callback`, state: 'x' });
  return `${url}/login/oauth/authorize?${query}`;
}

test.each([
  ['evil.example', 421],
  ['localhost.evil.example:80', 421],
  ['0.0.0.0', 421],
  ['localhost:1234', 200],
])("answers a request for the host '%s' with %i", async (host, status) => {
  const page = await requestUnderName(signInAddress(), host);

  expect(page.status).toBe(status);
});

test('shows the fields for another person only once that option is chosen, without a script', async () => {
  const page = await (await fetch(signInAddress())).text();

  const fields = page.slice(page.indexOf('class="own"'), page.indexOf('</fieldset>'));
  expect(fields.match(/name="(?:name|email|verified)"/g)).toHaveLength(3);
  expect(page).toContain('form:has([value=own]:checked) .own { display: block }');
  expect(page).not.toMatch(/<script|\son\w+=/);
});

test('links an expired sign-in back to the site that started it', async () => {
  await fetch(signInAddress());

  const over = await fetch(`${opened().google.issuer}/sign-in/long-gone`);

  expect(over.status).toBe(400);
  expect(await over.text()).toContain(`<a href="${SITE}/">Back to the site</a>`);
});

test('shows no link back when the site is unknown', async () => {
  const fresh = await startIdentitySandbox();

  const over = await fetch(`${fresh.google.issuer}/sign-in/long-gone`);

  expect(await over.text()).toMatch(/This sign-in has expired(?!.*<a )/s);
  await fresh.close();
});
