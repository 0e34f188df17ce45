/** Limits on guessing passwords and on making accounts. */
import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { testDatabaseKinds } from '../support/database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { backendTestServer, JSON_TYPE } from './support-backend.ts';

describe.each(testDatabaseKinds())('limits on %s', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, {
      limits: { signInPerAccount: { points: 3, perS: 60 }, signUpPerAddress: { points: 4, perS: 60 } },
    }),
  );

  test('a few wrong passwords and the account must wait, the right one included', async () => {
    const { email, password } = await server().user();
    const signIn = (attempt: string) => server().visitor().auth.signInWithPassword({ email, password: attempt });
    await signIn('wrong-1');
    await signIn('wrong-2');
    expect((await signIn(password)).error).toBeNull();
    for (const attempt of ['wrong-1', 'wrong-2', 'wrong-3'])
      expect((await signIn(attempt)).error?.code).toBe('invalid_credentials');

    const { error } = await signIn(password);

    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit', message: 'Too many requests' });
  });

  test('too many sign-ups from one address must wait as long as the answer says', async () => {
    const client = createClient(server().url, server().keys.anonKey, { auth: { persistSession: false } });
    for (let count = 0; count < 4; count += 1)
      await client.auth.signUp({ email: `many${count}@example.com`, password: '1' });

    const answer = await server().request('/auth/v1/signup', { method: 'POST', headers: JSON_TYPE, body: '{}' });

    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
