/** What a person with an authenticator app does, under the product's clock. */
import { Secret, TOTP } from 'otpauth';
import type { BackendTestServer } from '../backend.ts';

export type Client = ReturnType<BackendTestServer['visitor']>;

export const STEP_MS = 30_000;

export interface App {
  factorId: string;
  /** The code that the app shows now, or so many steps from now. */
  code(stepsFromNow?: number): string;
}

export function authenticatorApps(server: () => BackendTestServer) {
  function appOf(factorId: string, secret: string): App {
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = (steps = 0) => totp.generate({ timestamp: server().clock.nowMs() + steps * STEP_MS });
    return { factorId, code };
  }

  /** The code of the step before may be used; no step ends while a test runs. */
  function startNextStep(): void {
    server().advance(STEP_MS - (server().clock.nowMs() % STEP_MS) + 1000);
  }

  async function enroll(client: Client, friendlyName = 'phone'): Promise<App> {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
    if (error) throw error;
    return appOf(data.id, data.totp.secret);
  }

  async function challenge(client: Client, app: App): Promise<string> {
    const { data, error } = await client.auth.mfa.challenge({ factorId: app.factorId });
    if (error) throw error;
    return data.id;
  }

  /** A client whose account has a verified app and whose session is at aal2. */
  async function verified() {
    const user = await server().confirmedUser();
    const app = await enroll(user.client);
    const { data, error } = await user.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    if (error) throw error;
    startNextStep();
    return { ...user, app, accessToken: data.access_token, refreshToken: data.refresh_token };
  }

  /** The same account in another browser, one factor proven. */
  async function signInAgain(account: { email: string; password: string }) {
    const client = server().visitor();
    const { data, error } = await client.auth.signInWithPassword({ email: account.email, password: account.password });
    if (error) throw error;
    return { client, accessToken: data.session.access_token, refreshToken: data.session.refresh_token };
  }

  return { enroll, challenge, verified, signInAgain, startNextStep };
}
