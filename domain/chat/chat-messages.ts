/** What the page says about linked chats: their alerts, why one is paused, and why a request of the page was refused. */
import { ADDRESS_NOT_PROVEN, type AuthRefusal } from '../account/auth-messages.ts';
import type { ReportedProblem } from '../account/second-factor-messages.ts';
import type { AlertKind } from '../alerts/alert-rule.ts';
import { type ChatPauseReason, MOST_CHATS, MOST_REFUSALS } from './chat-channel.ts';

export const CHAT_ALERT_LABELS: Readonly<Record<AlertKind, string>> = {
  'band-broken': 'A price leaves the band',
  'prediction-resolved': 'An outcome is known',
  'models-disagree': 'Models disagree',
  'chance-reached': 'A chance is reached',
  'market-opens': 'A market opens',
  'release-due': 'A release is due',
};

export const PAUSE_LABELS: Readonly<Record<ChatPauseReason, string>> = {
  owner: 'Paused by you.',
  blocked: 'Paused, because the bot was blocked or removed, or may not write there. Allow it again, then resume.',
  'not-found': 'Paused, because this chat no longer exists.',
  refused: `Paused, because ${MOST_REFUSALS} messages in a row were refused. Check who may write in this chat, then resume.`,
};

const SIGN_IN: Readonly<Record<string, string>> = {
  'auth/second-factor-needed': 'Sign in again with a code from your app to link a chat.',
  'auth/session-ended': 'This session has ended. Sign in again.',
};
const MESSAGES: Readonly<Record<string, string>> = {
  'account/address-not-proven': ADDRESS_NOT_PROVEN,
  'chat/unavailable':
    'We can’t reach this service right now. Your linked chats aren’t affected. Try again in a minute.',
  'chat/too-many': `You have ${MOST_CHATS} linked chats, the most you can have. Unlink one first.`,
  'chat/no-such-chat': 'This chat was unlinked. Reload the page.',
  'chat/paused': 'This chat is paused. Resume it first.',
  'request/too-many': 'You did that many times within a few minutes. Please wait a while before you try again.',
};

export function chatProblem({ code = '' }: AuthRefusal): ReportedProblem {
  const signIn = SIGN_IN[code];
  if (signIn !== undefined) return { message: signIn, needsSignIn: true };
  return {
    message: MESSAGES[code] ?? 'We couldn’t do that. Nothing was changed. Please try again.',
    needsSignIn: false,
  };
}
