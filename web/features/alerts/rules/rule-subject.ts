/** A rule's subject; each user has at most one rule per subject. The server uses the same key to replace a rule. */
import type { AlertKind, AlertRule, RuleChance } from '#domain/alerts/alert-rule.ts';
import type { SaveAlertRule } from '#domain/alerts/save-alert-rule.ts';

export interface RuleSubject {
  kind: AlertKind;
  /** Null: all of the user's predictions. */
  predictionId: string | null;
  /** Our own symbol; null for rules about predictions. */
  sym: string | null;
  /** Only for chance-reached. */
  chance?: RuleChance | null | undefined;
}

export interface Channels {
  byMail: boolean;
  byPush: boolean;
}

/** Equal only for rules about the same subject. */
export function subjectKey({ kind, predictionId, sym, chance }: RuleSubject): string {
  const { model, event, price, bar, percent } = chance ?? {};
  return [kind, predictionId ?? sym, model, event, price, bar, percent].join(' ');
}

export function ruleAbout(rules: readonly AlertRule[], subject: RuleSubject): AlertRule | null {
  return rules.find((rule) => subjectKey(rule) === subjectKey(subject)) ?? null;
}

export function ruleToSave(
  { kind, predictionId, sym, chance }: RuleSubject,
  { byMail, byPush }: Channels,
): SaveAlertRule {
  const ways = { byMail, byPush };
  switch (kind) {
    case 'band-broken':
    case 'prediction-resolved':
      return { kind, predictionId, ...ways };
    case 'models-disagree':
    case 'market-opens':
      return { kind, sym: required(sym), ...ways };
    case 'release-due':
      return { kind, ...ways };
    case 'chance-reached':
      return { kind, sym: required(sym), chance: required(chance), ...ways };
  }
}

/** Rules of these kinds always have it. */
function required<T>(part: T | null | undefined): T {
  if (part == null) throw new TypeError('The rule has no market or chance.');
  return part;
}
