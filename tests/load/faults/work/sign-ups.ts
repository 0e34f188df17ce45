/**
 * Sign-ups. Acknowledged: the account signs in and has its profile. Half: an address that is taken and does not sign
 * in, or an account without a profile. Twice: two profiles.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { inTurn } from '../in-turn.ts';
import { describeAnswer, isTaken, newAddress, type Site, type SiteAnswer, type SiteUser } from '../site.ts';
import type { WorkKind, WorkWorld } from './work-kind.ts';

const sessionSchema = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });
const rowsSchema = z.array(z.object({ id: z.string() }));
const PASSWORD = 'Password1';

interface Attempt {
  email: string;
  address: string;
  /** Null: not acknowledged. */
  id: string | null;
}

/** @returns the new user, or the server's answer if it refused */
export async function signUpAt(site: Site, email: string, address: string): Promise<SiteUser | SiteAnswer> {
  const body = { email, password: PASSWORD, data: { full_name: 'Ada' } };
  const answer = await site.request('/auth/v1/signup', { body, address });
  if (!isTaken(answer)) return answer;
  const { access_token: token, user } = sessionSchema.parse(answer.body);
  return { id: user.id, email, password: PASSWORD, token, address };
}

let created = 0;
export function newcomer(): { email: string; address: string } {
  created += 1;
  return { email: `ada-${randomUUID()}@example.com`, address: newAddress(created) };
}

export function signUps(world: WorkWorld): WorkKind {
  const { site } = world;
  const attempts: Attempt[] = [];

  async function signIn({ email, address }: Attempt): Promise<SiteAnswer> {
    const body = { email, password: PASSWORD };
    const endsMs = Date.now() + 60_000;
    for (;;) {
      const answer = await site.request('/auth/v1/token?grant_type=password', { body, address });
      if ((answer.status >= 200 && answer.status < 500) || Date.now() > endsMs) return answer;
      await new Promise((wake) => setTimeout(wake, 250));
    }
  }

  async function verify(attempt: Attempt, lost: string[]): Promise<void> {
    const { email, address, id } = attempt;
    const answer = await signIn(attempt);
    if (!isTaken(answer)) {
      if (id !== null) return void lost.push(`${email} does not sign in: ${answer.status}`);
      const again = await signUpAt(site, email, address);
      if ('status' in again) lost.push(`${email} is half an account: no sign-in, and no sign-up (${again.status})`);
      return;
    }
    const session = sessionSchema.parse(answer.body);
    if (id !== null && session.user.id !== id) lost.push(`${email} became another account`);
    const user = { token: session.access_token, address };
    const rows = rowsSchema.parse(await site.read(`/rest/v1/profiles?select=id&id=eq.${session.user.id}`, { user }));
    if (rows.length !== 1) lost.push(`${email} has ${rows.length} profiles`);
  }

  return {
    prepare: async () => undefined,
    async write() {
      const attempt: Attempt = { ...newcomer(), id: null };
      attempts.push(attempt);
      const user = await signUpAt(site, attempt.email, attempt.address);
      if ('status' in user) {
        world.refused('signUps', describeAnswer(user));
        return false;
      }
      attempt.id = user.id;
      world.users.push(user);
      return true;
    },
    verify: ({ lost }) => inTurn(attempts, lost, (attempt) => verify(attempt, lost)),
  };
}
