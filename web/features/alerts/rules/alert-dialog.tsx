/** Alert settings of one prediction, for the minutes until it resolves. */
import { useState } from 'react';
import { Link } from 'react-router';
import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { Checkbox } from '../../../ui/forms/field.tsx';
import { Switch } from '../../../ui/forms/switch.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { DeviceHint } from '../device-hint.tsx';
import { useAlertRules, useAlerts, useHasDevice } from '../use-alerts.ts';
import styles from './alert-dialog.module.css';
import { type Channels, type RuleSubject, ruleAbout } from './rule-subject.ts';

export interface AlertDialogProps {
  userId: string;
  predictionId: string;
  title: string;
  onClose: () => void;
}

export function AlertDialog({ userId, predictionId, title, onClose }: AlertDialogProps) {
  const { data, isError, isFetching, refetch } = useAlerts(userId);
  return (
    <Dialog isOpen heading="Alerts" onClose={onClose}>
      <div className={styles.body}>
        <p className="muted">{`${title}: alert me on the page when`}</p>
        {data !== undefined ? (
          <Choices userId={userId} predictionId={predictionId} rules={data.rules} />
        ) : isError ? (
          <ErrorState
            title="We couldn’t load your alerts"
            text="They haven’t changed."
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        ) : (
          <div role="status" aria-label="Loading your alerts">
            <Skeleton className={styles.waiting} />
          </div>
        )}
        <p>
          <Link to="/track-record#alerts" onClick={onClose}>
            Alerts for all my predictions
          </Link>
        </p>
      </div>
    </Dialog>
  );
}

const KINDS = [
  {
    kind: 'band-broken',
    label: 'A minute closes outside the 95% band',
    help: 'Sent once, at the first such minute. Even with accurate bands, expect it for about one forecast in three.',
  },
  { kind: 'prediction-resolved', label: 'The outcome is known', help: 'With its error, or why it wasn’t scored.' },
] as const;

interface ChoicesProps {
  userId: string;
  predictionId: string;
  rules: readonly AlertRule[];
}

function Choices({ userId, predictionId, rules }: ChoicesProps) {
  const { set, failure } = useAlertRules(userId);
  const hasDevice = useHasDevice(userId);
  const rows = KINDS.map(({ kind, label, help }) => {
    const subject: RuleSubject = { kind, predictionId, sym: null };
    const general = ruleAbout(rules, { ...subject, predictionId: null });
    return { label, help, subject, general, own: ruleAbout(rules, subject) };
  });
  const own = rows.flatMap((row) => row.own ?? []);
  const [chosen, setChosen] = useState<Channels | null>(null);
  // A ticked box shows immediately and reverts to the stored value if saving fails.
  const channels = (failure === null ? chosen : null) ?? own[0] ?? ONLY_PAGE;
  const change = (changed: Partial<Channels>) => {
    const { byMail, byPush } = { ...channels, ...changed };
    setChosen({ byMail, byPush });
    for (const row of rows) if (row.own !== null) set(row.subject, { byMail, byPush });
  };
  const areAllGeneral = rows.every(({ general }) => general !== null);
  return (
    <>
      {rows.map(({ label, help, subject, general, own: rule }) => (
        <div key={subject.kind}>
          <Switch
            label={label}
            isOn={rule !== null || general !== null}
            isDisabled={general !== null}
            describedBy={`alert-${subject.kind}`}
            onToggle={() => set(subject, rule === null ? pick(channels) : null)}
          />
          <p id={`alert-${subject.kind}`} className={styles.help}>
            {general !== null ? `On for all your predictions${describeChannels(general)}.` : help}
          </p>
        </div>
      ))}
      {!areAllGeneral && (
        <div className={styles.ways}>
          <Checkbox
            label="Also by email"
            checked={channels.byMail}
            onChange={(event) => change({ byMail: event.currentTarget.checked })}
          />
          <Checkbox
            label="Also on my devices"
            checked={channels.byPush}
            disabled={hasDevice === false && !channels.byPush}
            onChange={(event) => change({ byPush: event.currentTarget.checked })}
          />
          {hasDevice === false && <DeviceHint />}
        </div>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
    </>
  );
}

const ONLY_PAGE: Channels = { byMail: false, byPush: false };
const pick = ({ byMail, byPush }: Channels): Channels => ({ byMail, byPush });

function describeChannels({ byMail, byPush }: Channels): string {
  const ways = [byMail && 'by email', byPush && 'on your devices'].filter((way) => way !== false);
  return ways.length === 0 ? '' : `, also ${ways.join(' and ')}`;
}
