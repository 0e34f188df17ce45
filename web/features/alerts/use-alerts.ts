/** One user's rules and alerts. Rule changes are optimistic: a switch responds immediately and reverts on failure. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertList } from '#domain/alerts/alert.ts';
import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { reportError } from '../../platform/error-log.ts';
import { queryClient } from '../../platform/query-client.ts';
import { alertsKey, alertsQuery, RULE_CHANGE, RULES_EVENT } from './alert-cache.ts';
import { failureMessage, fetchAlerts, fetchHasDevice, removeAlertRule, saveAlertRule } from './alerts-api.ts';
import { type Channels, type RuleSubject, ruleAbout, ruleToSave, subjectKey } from './rules/rule-subject.ts';

export function useAlerts(userId: string) {
  return useQuery(alertsQuery(userId));
}

/** Whether a device is set up; undefined until loaded. */
export function useHasDevice(userId: string): boolean | undefined {
  return useQuery({ queryKey: ['push-devices', userId], queryFn: fetchHasDevice, networkMode: 'always' }).data;
}

interface Change {
  subject: RuleSubject;
  /** Null: off. */
  channels: Channels | null;
  /** The rule before the click; null if there was none. */
  before: AlertRule | null;
}

/** Id of a rule that the server has not confirmed yet. */
const NO_ID = '';

export function useAlertRules(userId: string) {
  const key = alertsKey(userId);
  const [failure, setFailure] = useState<string | null>(null);
  const shownRule = (subject: RuleSubject) => ruleAbout(queryClient.getQueryData<AlertList>(key)?.rules ?? [], subject);
  const show = (subject: RuleSubject, rule: AlertRule | null) =>
    queryClient.setQueryData<AlertList>(key, (list) => list && { ...list, rules: withRule(list.rules, subject, rule) });

  const { mutate } = useMutation({
    mutationKey: RULE_CHANGE,
    // Changes are sent one after the other, so the last click is saved last.
    scope: { id: `alerts ${userId}` },
    networkMode: 'always',
    mutationFn: send,
    onSuccess: (saved, { subject }) => {
      const now = shownRule(subject);
      // A later click may already have changed the rest.
      if (saved !== null && now !== null) show(subject, { ...now, id: saved.id });
      window.dispatchEvent(new Event(RULES_EVENT));
    },
    onError: (error, { subject, before }) => {
      reportError(error, { where: 'alert rule' });
      show(subject, before);
      setFailure(failureMessage(error));
      void queryClient.invalidateQueries({ queryKey: key });
    },
  });
  /** @param channels  null: off */
  const set = (subject: RuleSubject, channels: Channels | null) => {
    setFailure(null);
    const before = shownRule(subject);
    // An answer from before the click must not undo it.
    void queryClient.cancelQueries({ queryKey: key });
    show(subject, channels && { id: before?.id ?? NO_ID, ...subject, ...channels });
    mutate({ subject, channels, before });
  };
  return { set, failure };
}

async function send({ subject, channels, before }: Change): Promise<AlertRule | null> {
  if (channels !== null) return saveAlertRule(ruleToSave(subject, channels));
  // Without a confirmed id, this click came before the previous answer; by now the server knows the rule.
  const isKnown = before !== null && before.id !== NO_ID;
  const known = isKnown ? before : ruleAbout((await fetchAlerts(null, new AbortController().signal)).rules, subject);
  if (known !== null) await removeAlertRule(known.id);
  return null;
}

function withRule(rules: readonly AlertRule[], subject: RuleSubject, rule: AlertRule | null): AlertRule[] {
  const others = rules.filter((one) => subjectKey(one) !== subjectKey(subject));
  return rule === null ? others : [...others, rule];
}
