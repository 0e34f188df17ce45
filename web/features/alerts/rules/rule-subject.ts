/** What a rule is about: one of each a user. The server replaces by the same measure. */
import type { AlertKind, AlertRule, SaveAlertRule } from '#domain/alerts/alert-rule.ts';

export interface RuleSubject {
  kind: AlertKind;
  /** Null: every prediction of the user's. */
  predictionId: string | null;
  /** The product's own code; of models-disagree alone. */
  sym: string | null;
}

export interface Channels {
  byMail: boolean;
  byPush: boolean;
}

/** Text that is the same for rules about the same thing alone. */
export function subjectKey({ kind, predictionId, sym }: RuleSubject): string {
  return `${kind} ${predictionId ?? sym ?? ''}`;
}

export function ruleAbout(rules: readonly AlertRule[], subject: RuleSubject): AlertRule | null {
  return rules.find((rule) => subjectKey(rule) === subjectKey(subject)) ?? null;
}

/** Body of save-alert-rule. */
export function ruleToSave({ kind, predictionId, sym }: RuleSubject, { byMail, byPush }: Channels): SaveAlertRule {
  return kind === 'models-disagree' ? { kind, sym: sym ?? '', byMail, byPush } : { kind, predictionId, byMail, byPush };
}
