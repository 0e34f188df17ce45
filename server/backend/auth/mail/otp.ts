/** POST /otp: mails a link and a code, for an existing or a new account. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { OWNER } from '../../../platform/database/database.ts';
import { lockAccountByEmail } from '../account-store.ts';
import { type AuthDeps, booleanField, metadataField, nowIso, readObject } from '../auth-deps.ts';
import { requireCaptcha } from '../captcha.ts';
import { limitMailsFrom, limitMailsTo, readLinkTarget, readMailAddress, sendAccountMail } from './account-mailer.ts';
import { insertUserUnlessTaken } from './mail-account-store.ts';

/**
 * Always `{}`. The hosted service refuses an unknown address with `create_user` false (422 otp_disabled), which reveals
 * to anyone who has an account. This one answers as for a known address and sends nothing.
 *
 * An unknown address gets an unconfirmed account, which is confirmed when the code or the link is used.
 *
 * @throws AuthError 400 phone_provider_disabled, 400 validation_failed, 429 over_email_send_rate_limit
 */
export async function otp(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const email = readMailAddress(body);
  const target = readLinkTarget(c, deps, body);
  const isWanted = booleanField(body, 'create_user') ?? true;
  const metadata = metadataField(body) ?? {};
  await requireCaptcha(c, deps, body);
  await limitMailsTo(deps, 'sign-in link', email);

  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    await insertUserUnlessTaken(tx, { id: randomUUID(), email, passwordHash: null, metadata, isWanted }, now);
    const account = await lockAccountByEmail(tx, email, now);
    await sendAccountMail(tx, deps, { userId: account?.id ?? null, purpose: 'magiclink', to: email, target }, now);
  });
  return {};
}
