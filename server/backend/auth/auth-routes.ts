/** /auth/v1: the list of the auth service's calls. */
import { Hono } from 'hono';
import { hasApiKey } from '../api-key.ts';
import type { AuthDeps } from './auth-deps.ts';
import { AuthError, authErrorResponse, toAuthError } from './auth-error.ts';
import { logout } from './logout.ts';
import { mountNotAvailable } from './not-available.ts';
import { signUp } from './sign-up.ts';
import { token } from './token.ts';
import { getUser, putUser } from './user.ts';

export function authRoutes(deps: AuthDeps): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const known = toAuthError(error);
    if (isFault(known)) deps.log.error({ err: error, path: c.req.path, method: c.req.method }, 'auth request failed');
    return authErrorResponse(known ?? new AuthError(500, 'unexpected_failure', 'Something went wrong on our side.'));
  });

  // Public keys and the sign of life need no api key.
  app.get('/.well-known/jwks.json', (c) => c.json(deps.keys.jwks, 200, { 'cache-control': 'public, max-age=600' }));
  app.get('/health', (c) => c.json({ name: 'Kat auth', description: 'Accounts and sessions' }));
  app.use(async (c, next) => {
    if (!(await hasApiKey(c.req.raw, deps)))
      throw new AuthError(401, 'no_authorization', 'No valid API key found in request header apikey');
    await next();
    c.res.headers.set('cache-control', 'no-store');
  });

  app.get('/settings', (c) => c.json(SETTINGS));
  app.post('/signup', async (c) => c.json(await signUp(c, deps)));
  app.post('/token', async (c) => c.json(await token(c, deps)));
  app.get('/user', async (c) => c.json(await getUser(c, deps)));
  app.put('/user', async (c) => c.json(await putUser(c, deps)));
  app.post('/logout', async (c) => {
    await logout(c, deps);
    return c.body(null, 204);
  });
  mountNotAvailable(app);
  app.all('*', () => {
    throw new AuthError(404, 'not_found', 'No such call');
  });
  return app;
}

/** Worth a line in the log: bugs (no refusal is known) and what is away; what is not built yet (501) is expected. */
function isFault(known: AuthError | null): boolean {
  return known === null || (known.status >= 500 && known.status !== 501);
}

/** `mailer_autoconfirm`: signing up signs in at once. */
const SETTINGS = {
  external: { anonymous_users: false, email: true, phone: false, google: false, github: false },
  disable_signup: false,
  mailer_autoconfirm: true,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
};
