/** The available alerts, one row each: on or off, and the channels beside the page. */
import { useState } from 'react';
import { Link } from 'react-router';
import { describeEvent } from '#domain/alerts/alert-messages.ts';
import { type AlertKind, type AlertRule, MOST_ALERT_RULES } from '#domain/alerts/alert-rule.ts';
import { MODELS, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { marketDecimals, marketLabel } from '#domain/market/named-market.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Switch } from '../../../ui/forms/switch.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { DeviceHint } from '../device-hint.tsx';
import { useAlertRules, useHasDevice } from '../use-alerts.ts';
import styles from './alert-rules.module.css';
import { ChanceForm } from './chance-form.tsx';
import { type Channels, type RuleSubject, ruleAbout, subjectKey } from './rule-subject.ts';

interface Row {
  subject: RuleSubject;
  name: string;
  help?: string;
}

const OF_PREDICTIONS: readonly Row[] = [
  {
    subject: { kind: 'band-broken', predictionId: null, sym: null },
    name: 'A minute closes outside the 95% band',
    help: 'Sent once per prediction. Even with accurate bands, expect it for about one forecast in three.',
  },
  { subject: { kind: 'prediction-resolved', predictionId: null, sym: null }, name: 'The outcome is known' },
  {
    subject: { kind: 'release-due', predictionId: null, sym: null },
    name: 'A US release, such as CPI, is due',
    help: 'Sent about 5 minutes before a release within a running forecast, once per release and market. It says how much wider the band is.',
  },
];
const disagreement = ({ label, sym }: MarketSymbol): Row => ({
  subject: { kind: 'models-disagree', predictionId: null, sym },
  name: label,
});
const CRYPTO = SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto').map(disagreement);
const OTHERS = SYMBOLS.filter(({ assetClass }) => assetClass !== 'crypto').map(disagreement);

/** 'BTC to touch 62,000.0 within 15 minutes: more than 30%'. */
function chanceRow({ kind, predictionId, sym, chance }: AlertRule): Row | null {
  if (chance == null || sym === null) return null;
  const model = chance.model === PUBLIC_FORECAST.model ? '' : `, by ${MODELS[chance.model].label}`;
  return {
    subject: { kind, predictionId, sym, chance },
    name: `${marketLabel(sym)} to ${describeEvent(chance, marketDecimals(sym, [chance.price]))} within ${chance.bar} minutes: more than ${chance.percent}%${model}`,
  };
}

/** Each is set on the chart while its market is closed, and ends with its alert. */
function openingRow({ kind, predictionId, sym }: AlertRule): Row | null {
  return kind === 'market-opens' && sym !== null
    ? { subject: { kind, predictionId, sym }, name: marketLabel(sym) }
    : null;
}

/** Each kind of alert has its place in the table. */
const GROUP_OF = {
  'band-broken': 'Any of my predictions',
  'prediction-resolved': 'Any of my predictions',
  'models-disagree': 'Models disagree',
  'chance-reached': 'Chances',
  'market-opens': 'A market opens',
  'release-due': 'Any of my predictions',
} as const satisfies Record<AlertKind, string>;
type GroupName = (typeof GROUP_OF)[AlertKind];

const ONLY_PAGE: Channels = { byMail: false, byPush: false };

export function AlertRules({ user, rules }: { user: SessionUser; rules: readonly AlertRule[] }) {
  const { set, failure } = useAlertRules(user.id);
  const hasDevice = useHasDevice(user.id);
  const [isWhole, setWhole] = useState(() => OTHERS.some(({ subject }) => ruleAbout(rules, subject) !== null));
  const ofOne = rules.filter(({ predictionId }) => predictionId !== null);
  const groups: Record<GroupName, { help: string | null; rows: readonly Row[] }> = {
    'Any of my predictions': { help: null, rows: OF_PREDICTIONS },
    'Models disagree': {
      help: 'Their forecasts for the same time point in different directions, each by more than trading costs. Sent at most once an hour per symbol. For coins, expect one almost every hour.',
      rows: isWhole ? [...CRYPTO, ...OTHERS] : CRYPTO,
    },
    Chances: {
      help: 'Sent when a chance becomes more likely than you set, at most once an hour per alert. Bobcat’s chances of BTC are free; others need a plan with the model.',
      rows: rules.flatMap((rule) => chanceRow(rule) ?? []),
    },
    'A market opens': {
      help: 'Sent once, at the next opening. Set it on the chart while the market is closed.',
      rows: rules.flatMap((rule) => openingRow(rule) ?? []),
    },
  };
  return (
    <div className={styles.rules}>
      <table className={styles.table}>
        <caption className="visually-hidden">Your alerts and where they arrive</caption>
        <thead>
          <tr>
            <th scope="col">Alert me when</th>
            <th scope="col">On the page</th>
            <th scope="col">By email</th>
            <th scope="col">My devices</th>
          </tr>
        </thead>
        {Object.entries(groups).map(([name, group]) => (
          <tbody key={name}>
            <tr>
              <th scope="rowgroup" colSpan={4} className={styles.group}>
                <span>{name}</span>
                {group.help !== null && <p className={styles.help}>{group.help}</p>}
              </th>
            </tr>
            {group.rows.map((row) => (
              <RuleRow
                key={subjectKey(row.subject)}
                row={row}
                group={name}
                rule={ruleAbout(rules, row.subject)}
                hasDevice={hasDevice}
                onSet={(channels) => set(row.subject, channels)}
              />
            ))}
          </tbody>
        ))}
      </table>
      <ChanceForm isFull={rules.length >= MOST_ALERT_RULES} onAdd={(subject) => set(subject, ONLY_PAGE)} />
      {failure !== null && <Failure>{failure}</Failure>}
      <div className={styles.notes}>
        {!isWhole && (
          <Button variant="quiet" size="small" className={styles.more} onClick={() => setWhole(true)}>
            Show shares, gold, the dollar and oil
          </Button>
        )}
        {ofOne.length > 0 && (
          <p className="muted">
            {ofOne.length === 1 ? 'One more alert is' : `${ofOne.length} more alerts are`} set on single predictions,
            under <Link to="/account/predictions">Your Predictions</Link>.{' '}
            {/* A resolved prediction has no bell, but its rules still count. */}
            <Button
              variant="quiet"
              size="small"
              className={styles.remove}
              onClick={() => {
                for (const rule of ofOne) set(rule, null);
              }}
            >
              {ofOne.length === 1 ? 'Remove it' : 'Remove them'}
            </Button>
          </p>
        )}
        {rules.length >= MOST_ALERT_RULES && (
          <p className="muted">You have reached the limit of {MOST_ALERT_RULES} alerts.</p>
        )}
        {hasDevice === false && <DeviceHint />}
        {!user.emailConfirmed && <p className="muted">You get emails once you verify your address.</p>}
      </div>
    </div>
  );
}

interface RuleRowProps {
  row: Row;
  group: string;
  rule: AlertRule | null;
  hasDevice: boolean | undefined;
  onSet: (channels: Channels | null) => void;
}

function RuleRow({ row: { name, help }, group, rule, hasDevice, onSet }: RuleRowProps) {
  const isOn = rule !== null;
  const { byMail, byPush } = rule ?? ONLY_PAGE;
  const called = `${group}, ${name}`;
  const cells = [
    { name: called, isOn, isDisabled: false, next: isOn ? null : ONLY_PAGE },
    { name: `${called}, by email`, isOn: byMail, isDisabled: !isOn, next: { byMail: !byMail, byPush } },
    {
      name: `${called}, on my devices`,
      isOn: byPush,
      isDisabled: !isOn || (hasDevice === false && !byPush),
      next: { byMail, byPush: !byPush },
    },
  ];
  return (
    <>
      <tr>
        <th scope="row" className={styles.name}>
          {name}
        </th>
        {cells.map((cell) => (
          <td key={cell.name}>
            <Switch
              label=""
              name={cell.name}
              isOn={cell.isOn}
              isDisabled={cell.isDisabled}
              onToggle={() => onSet(cell.next)}
            />
          </td>
        ))}
      </tr>
      {help !== undefined && (
        <tr className={styles.under}>
          <td colSpan={4} className={classNames(styles.name, styles.help)}>
            {help}
          </td>
        </tr>
      )}
    </>
  );
}
