/** Where the links of mails, and providers, lead back to. */
import type { Entry } from './link-arrival.ts';

/** Marks the redirect of a confirmation mail: a refusal there is about the link, not about a provider. */
const FROM = 'from';
export type MailOrigin = 'mail' | 'change';
export const CALLBACK = '/auth/callback';

/** The redirect target of a mail's link that confirms the account's address, or the change to another. */
export function confirmationTarget(origin: MailOrigin = 'mail'): string {
  const target = new URL(CALLBACK, window.location.origin);
  target.searchParams.set(FROM, origin);
  return target.href;
}

/** Null if the link was not in a mail. */
export function mailOrigin(search: string): MailOrigin | null {
  const origin = new URLSearchParams(search).get(FROM);
  return origin === 'mail' || origin === 'change' ? origin : null;
}

export type LinkableProvider = 'google' | 'github';
const LINKED = 'linked';
const LINKS_PAGE = '/account';

/** The redirect target of a provider that is being linked: not the callback, because a refusal ends no session. */
export function linkTarget(provider: LinkableProvider): string {
  const target = new URL(LINKS_PAGE, window.location.origin);
  target.searchParams.set(LINKED, provider);
  return target.href;
}

/** The provider that redirected here after linking. Anyone can forge it. */
export function linkReturn({ pathname, search }: Pick<Entry, 'pathname' | 'search'>): LinkableProvider | null {
  const name = pathname === LINKS_PAGE ? new URLSearchParams(search).get(LINKED) : null;
  return name === 'google' || name === 'github' ? name : null;
}
