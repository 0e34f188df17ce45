/** Sign-ups, sign-ins and erased accounts. */
import * as z from 'zod/mini';
import type { Answered } from '../history/recorder.ts';
import { type ActorContext, toAnswered } from './actor.ts';
import { isTaken, newAddress, type SiteUser } from './site.ts';

const sessionSchema = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });
const PASSWORD = 'Password1';
const SIGN_UP_LIMIT_MS = 20_000;
/** What the server answers to a wrong password and to an unknown address. */
const UNKNOWN = /invalid/i;

export interface Newcomer {
  email: string;
  address: string;
}

export function newcomer(seed: number, nth: number): Newcomer {
  return { email: `user-${seed}-${nth}@example.com`, address: newAddress(nth + 1) };
}

/** @returns null unless it was acknowledged */
export async function signUp(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  { email, address }: Newcomer,
): Promise<SiteUser | null> {
  let user: SiteUser | null = null;
  await recorder.call(email, { kind: 'sign-up' }, async () => {
    const body = { email, password: PASSWORD, data: { full_name: 'Ada' } };
    const answer = await site.request('/auth/v1/signup', { body, address, limitMs: SIGN_UP_LIMIT_MS });
    if (!isTaken(answer)) return toAnswered(answer);
    const { access_token: token, user: account } = sessionSchema.parse(answer.body);
    user = { id: account.id, email, password: PASSWORD, token, address };
    return { outcome: 'ok', answer: { userId: account.id } };
  });
  return user;
}

/** A refusal for another reason than the account, such as too many attempts, leaves open whether it is there. */
export function signIn(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  { email, address }: Newcomer,
): Promise<Answered> {
  return recorder.call(email, { kind: 'sign-in' }, async () => {
    const body = { email, password: PASSWORD };
    const path = '/auth/v1/token?grant_type=password';
    const answered = toAnswered(await site.request(path, { body, address, limitMs: SIGN_UP_LIMIT_MS }));
    const isOther = answered.outcome === 'refused' && !UNKNOWN.test(answered.note ?? '');
    return isOther ? { ...answered, outcome: 'maybe' } : answered;
  });
}

export function erase({ site, recorder }: Pick<ActorContext, 'site' | 'recorder'>, user: SiteUser): Promise<Answered> {
  return recorder.call(user.email, { kind: 'erase' }, async () =>
    toAnswered(await site.invoke(user, 'delete-account', { action: 'delete', password: user.password })),
  );
}
