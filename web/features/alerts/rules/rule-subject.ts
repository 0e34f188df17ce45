/** A rule's subject; each user has at most one rule per subject. The server uses the same key to replace a rule. */
import type { AlertKind, AlertRule } from '#domain/alerts/alert-rule.ts';
import type { SaveAlertRule } from '#domain/alerts/save-alert-rule.ts';

export interface RuleSubject {
  kind: AlertKind;
  /** Null: all of the user's predictions. */
  predictionId: string | null;
  /** Our own symbol; only for models-disagree. */
  sym: string | null;
}

export interface Channels {
  byMail: boolean;
  byPush: boolean;
}

/** Equal only for rules about the same subject. */
export function subjectKey({ kind, predictionId, sym }: RuleSubject): string {
  return `${kind} ${predictionId ?? sym ?? ''}`;
}

export function ruleAbout(rules: readonly AlertRule[], subject: RuleSubject): AlertRule | null {
  return rules.find((rule) => subjectKey(rule) === subjectKey(subject)) ?? null;
}

export function ruleToSave({ kind, predictionId, sym }: RuleSubject, { byMail, byPush }: Channels): SaveAlertRule {
  return kind === 'models-disagree' ? { kind, sym: sym ?? '', byMail, byPush } : { kind, predictionId, byMail, byPush };
}

export function placeName(path: string): string {
  return path.startsWith('/account/predictions') ? 'Your Predictions' : 'Track Record';
}
