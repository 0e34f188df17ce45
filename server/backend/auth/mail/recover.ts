/** POST /recover: mails a link to users who forgot their password. */
import type { Context } from 'hono';
import { OWNER } from '../../../platform/database/database.ts';
import { lockAccountByEmail } from '../account-store.ts';
import { type AuthDeps, nowIso, readObject } from '../auth-deps.ts';
import { requireCaptcha } from '../captcha.ts';
import { limitMailsFrom, limitMailsTo, readLinkTarget, readMailAddress, sendAccountMail } from './account-mailer.ts';

/** Always `{}`. @throws AuthError 400 validation_failed, 429 over_email_send_rate_limit */
export async function recover(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  await limitMailsFrom(c, deps);
  const body = await readObject(c);
  const email = readMailAddress(body);
  const target = readLinkTarget(c, deps, body);
  await requireCaptcha(c, deps, body);
  await limitMailsTo(deps, 'recovery', email);

  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccountByEmail(tx, email, now);
    await sendAccountMail(tx, deps, { userId: account?.id ?? null, purpose: 'recovery', to: email, target }, now);
  });
  return {};
}
