import { Hono } from 'hono';
import { signUp } from './accounts/sign-up.ts';
import { getUser, putUser } from './accounts/user.ts';
import type { AuthDeps } from './auth-deps.ts';
import { AuthError, authErrorResponse, toAuthError, validationFailed } from './auth-error.ts';
import { addExtensionCalls, addExtensionRedirects } from './extensions/extension-routes.ts';
import { verifyFactor } from './factors/factor-verify.ts';
import { challengeFactor, enrollFactor, unenrollFactor } from './factors/factors.ts';
import { hasApiKey } from './keys/token-verifier.ts';
import { otp, recover, resend } from './mail/request-mail.ts';
import { verifyGet, verifyPost } from './mail/verify.ts';
import { authorizeIdentity, deleteIdentity } from './providers/identities.ts';
import { authorize, callback } from './providers/oauth.ts';
import { logout } from './sessions/sessions.ts';
import { token } from './token.ts';

export function authRoutes(deps: AuthDeps): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const known = toAuthError(error);
    if (isFault(known)) deps.log.error({ err: error, path: c.req.path, method: c.req.method }, 'auth request failed');
    return authErrorResponse(known ?? new AuthError(500, 'unexpected_failure', 'Something went wrong on our side.'));
  });

  app.use(async (c, next) => {
    // An escaped NUL in the address has no legitimate use, and the database can't store it.
    if (/%00/.test(c.req.raw.url)) throw validationFailed('The URL contains a NUL character');
    await next();
    // Account responses are for one caller at one moment, so they are never cached.
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
  });
  // Public keys and the health check need no api key.
  app.get('/.well-known/jwks.json', (c) => c.json(deps.keys.jwks, 200, { 'cache-control': 'public, max-age=600' }));
  app.get('/health', (c) => c.json({ name: 'Kat auth', description: 'Accounts and sessions' }));
  // A browser follows these from a mail or a provider's redirect, without an api key header.
  app.get('/verify', (c) => verifyGet(c, deps));
  app.get('/authorize', (c) => authorize(c, deps));
  app.get('/callback', (c) => callback(c, deps));
  addExtensionRedirects(app, deps);
  app.use(async (c, next) => {
    if (!(await hasApiKey(c.req.raw, deps)))
      throw new AuthError(401, 'no_authorization', 'No valid API key found in request header apikey');
    await next();
  });

  app.get('/settings', (c) => c.json(settings(deps)));
  app.post('/signup', async (c) => c.json(await signUp(c, deps)));
  app.post('/token', async (c) => c.json(await token(c, deps)));
  app.get('/user', async (c) => c.json(await getUser(c, deps)));
  app.put('/user', async (c) => c.json(await putUser(c, deps)));
  app.post('/logout', async (c) => {
    await logout(c, deps);
    return c.body(null, 204);
  });
  app.post('/otp', async (c) => c.json(await otp(c, deps)));
  app.post('/verify', async (c) => c.json(await verifyPost(c, deps)));
  app.post('/recover', async (c) => c.json(await recover(c, deps)));
  app.post('/resend', async (c) => c.json(await resend(c, deps)));
  app.get('/user/identities/authorize', (c) => authorizeIdentity(c, deps));
  app.delete('/user/identities/:id', async (c) => c.json(await deleteIdentity(c, deps)));
  app.post('/factors', async (c) => c.json(await enrollFactor(c, deps)));
  app.post('/factors/:id/challenge', async (c) => c.json(await challengeFactor(c, deps)));
  app.post('/factors/:id/verify', async (c) => c.json(await verifyFactor(c, deps)));
  app.delete('/factors/:id', async (c) => c.json(await unenrollFactor(c, deps)));
  addExtensionCalls(app, deps);
  app.all('*', () => {
    throw new AuthError(404, 'not_found', 'No such call');
  });
  return app;
}

/** True for errors worth logging: bugs, and unavailable services. */
function isFault(known: AuthError | null): boolean {
  return known === null || known.status >= 500;
}

/** `mailer_autoconfirm`: signing up signs in immediately. */
function settings(deps: AuthDeps) {
  return {
    external: {
      anonymous_users: false,
      email: true,
      phone: false,
      google: deps.providers.google !== null,
      github: deps.providers.github !== null,
    },
    disable_signup: false,
    mailer_autoconfirm: !deps.settings.isConfirmationRequired,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: deps.saml !== null,
  };
}
