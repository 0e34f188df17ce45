/** One alert at the next opening of a closed market, switched on and off beside its button. */
import Bell from 'lucide-react/icons/bell';
import BellRing from 'lucide-react/icons/bell-ring';
import { useEffect, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { useAlertRules, useAlerts, useHasDevice } from '../use-alerts.ts';
import styles from './opening-alert.module.css';
import { type Channels, type RuleSubject, ruleAbout } from './rule-subject.ts';

export interface OpeningAlertProps {
  userId: string;
  symbol: MarketSymbol;
}

export function OpeningAlert({ userId, symbol }: OpeningAlertProps) {
  const { data, isError, refetch } = useAlerts(userId);
  const { set, failure } = useAlertRules(userId);
  // The market may open hours later, when the page is closed.
  const channels: Channels = { byMail: true, byPush: useHasDevice(userId) === true };
  const subject: RuleSubject = { kind: 'market-opens', predictionId: null, sym: symbol.sym };
  const rule = data === undefined ? null : ruleAbout(data.rules, subject);
  /** Clicked before it was known what is on. */
  const [isWanted, setWanted] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the list is known
  useEffect(() => {
    if (!isWanted || data === undefined) return;
    setWanted(false);
    if (rule === null) set(subject, channels);
  }, [isWanted, data]);
  const click = () => {
    if (data !== undefined) return set(subject, rule === null ? channels : null);
    setWanted(!isWanted);
    if (isError) void refetch();
  };
  const isOn = rule !== null || isWanted;
  const Icon = isOn ? BellRing : Bell;
  return (
    <span className={styles.alert} data-keep-clear>
      <Button
        aria-pressed={isOn}
        icon={<Icon size={16} aria-hidden="true" />}
        title={isOn ? 'Click to remove this alert' : `One alert when ${symbol.label} opens, ${waysOf(channels)}`}
        onClick={click}
      >
        Alert me at the open
      </Button>
      <span role="status" className={styles.state}>
        {isError && data === undefined
          ? 'We couldn’t load your alerts. Click to try again.'
          : rule !== null && `On, ${waysOf(rule)}`}
      </span>
      {failure !== null && <Failure>{failure}</Failure>}
    </span>
  );
}

/** 'by email and on your devices'. An alert always shows on the page as well. */
function waysOf({ byMail, byPush }: Channels): string {
  const ways = [byMail && 'by email', byPush && 'on your devices'].filter((way) => way !== false);
  return ways.length === 0 ? 'on this page' : ways.join(' and ');
}
