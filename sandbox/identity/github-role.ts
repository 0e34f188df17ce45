/** Simulates GitHub in its own formats: page, user, addresses, and a token call that answers refusals with 200. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expiringStore } from './expiring-store.ts';
import { answerJson, answerPage, answerRedirect, pictureAddress, readForm } from './http-answers.ts';
import { errorPage, signInPage } from './sign-in-page.ts';
import type { SiteAddresses } from './site-addresses.ts';
import { accountNumber, readChoice, type TestPerson } from './test-people.ts';

export interface GitHubRoleOptions {
  mount: string;
  /** Includes the mount. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  site: SiteAddresses;
}

export interface GitHubRole {
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}

interface Granted {
  person: TestPerson;
  scope: string;
  redirectUri: string;
}

const CODE_LIFE_S = 10 * 60;
const TOKEN_LIFE_S = 8 * 60 * 60;
const CARRIED = ['client_id', 'redirect_uri', 'scope', 'state'] as const;

export function gitHubRole(options: GitHubRoleOptions): GitHubRole {
  const failure = (message: string) => errorPage('GitHub', message, options.site.home());
  const codes = expiringStore<Granted>();
  const tokens = expiringStore<Granted>();

  async function authorize(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isPost = request.method === 'POST';
    const query = isPost ? await readForm(request) : new URL(request.url ?? '', 'http://localhost').searchParams;
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== options.clientId || !options.site.isCallback(redirectUri))
      return answerPage(response, 404, failure('Unknown application or redirect URL.'));
    if (!isPost) {
      const hidden = CARRIED.map((name) => [name, query.get(name) ?? ''] as const);
      const action = `${options.mount}/login/oauth/authorize`;
      return answerPage(response, 200, signInPage({ provider: 'GitHub', action, hint: query.get('login'), hidden }));
    }
    const choice = readChoice(query);
    if (choice === null) return answerPage(response, 400, failure('A valid email address is needed.'));
    const target = new URL(redirectUri);
    if (choice.kind === 'cancel') {
      target.searchParams.set('error', 'access_denied');
      target.searchParams.set('error_description', 'The user has denied your application access.');
    } else {
      const code = randomBytes(10).toString('hex');
      codes.set(code, { person: choice.person, scope: query.get('scope') ?? '', redirectUri }, CODE_LIFE_S);
      target.searchParams.set('code', code);
    }
    target.searchParams.set('state', query.get('state') ?? '');
    answerRedirect(response, target.href);
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    const refuse = (error: string, description: string) =>
      answerJson(response, 200, { error, error_description: description });
    if (form.get('client_id') !== options.clientId || form.get('client_secret') !== options.clientSecret)
      return refuse('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.');
    const code = form.get('code') ?? '';
    const granted = codes.get(code);
    codes.delete(code);
    if (granted === undefined) return refuse('bad_verification_code', 'The code passed is incorrect or expired.');
    if (form.get('redirect_uri') !== granted.redirectUri)
      return refuse('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL.');
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.set(token, granted, TOKEN_LIFE_S);
    answerJson(response, 200, { access_token: token, token_type: 'bearer', scope: granted.scope.replaceAll(' ', ',') });
  }

  function answerApi(request: IncomingMessage, response: ServerResponse, path: string): void {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const granted = tokens.get(token);
    const maySeeAddresses = granted?.scope.split(' ').some((scope) => scope === 'user:email' || scope === 'user');
    if (granted === undefined) answerJson(response, 401, { message: 'Bad credentials' });
    else if (path === '/api/user')
      answerJson(response, 200, userOf(granted.person, pictureAddress(options.apiUrl, granted.person)));
    else if (path === '/api/user/emails' && maySeeAddresses) answerJson(response, 200, emailsOf(granted.person));
    else answerJson(response, 404, { message: 'Not Found' });
  }

  return {
    async answer(request, response, path) {
      if (path === '/login/oauth/authorize') await authorize(request, response);
      else if (path === '/login/oauth/access_token' && request.method === 'POST') await exchange(request, response);
      else answerApi(request, response, path);
    },
  };
}

function loginOf(person: TestPerson): string {
  return (person.email.split('@')[0] ?? '').replace(/[^A-Za-z0-9]+/g, '-').slice(0, 39);
}

function userOf(person: TestPerson, pictureUrl: string) {
  return {
    id: accountNumber(person),
    login: loginOf(person),
    name: person.name,
    avatar_url: pictureUrl,
    email: null,
    type: 'User',
  };
}

function emailsOf(person: TestPerson) {
  const hidden = `${accountNumber(person)}+${loginOf(person)}@users.noreply.example`;
  return [
    { email: hidden, primary: false, verified: true, visibility: null },
    { email: person.email, primary: true, verified: person.isEmailVerified, visibility: 'private' },
  ];
}
