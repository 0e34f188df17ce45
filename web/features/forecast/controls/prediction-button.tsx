/** Uses aria-disabled and not `disabled`, because a free user's click opens the plans (R-FORECAST-19). */
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { useId, useState } from 'react';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { hasFeature, PLANS } from '#domain/billing/plans.ts';
import { MAX_AMPLIFY_PERCENT } from '#domain/forecast/amplify.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { describeLeft, hasLeft, type Quota } from '#domain/forecast/quota.ts';
import { dollars } from '#domain/format/dollars.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './prediction-button.module.css';

interface PredictionButtonProps {
  rule: ButtonRule;
  isBusy?: boolean;
  onPredict: () => void;
  onUpgrade: () => void;
  /** A click while it is not known yet what the button does. */
  onEarly?: (() => void) | undefined;
}

export function PredictionButton({ rule, isBusy = false, onPredict, onUpgrade, onEarly }: PredictionButtonProps) {
  const onClick = () => {
    if (rule.click === 'predict') onPredict();
    if (rule.click === 'upgrade') onUpgrade();
    if (rule.click === 'nothing') onEarly?.();
  };
  return (
    <button
      type="button"
      className={classNames(styles.button, isBusy && styles.busy)}
      aria-disabled={rule.isDisabled}
      aria-busy={isBusy || undefined}
      data-predict
      data-keep-clear
      onClick={onClick}
    >
      <span className="inline-row gap-2">
        {isBusy && <LoaderCircle className={styles.spinner} size={16} aria-hidden="true" />}
        <span>Prediction</span>
      </span>
      {rule.text !== null && (
        <>
          {' '}
          <span key={rule.text} className={styles.quota}>
            {rule.text}
          </span>
        </>
      )}
    </button>
  );
}

export interface ButtonFacts {
  isSignedIn: boolean;
  isPlanLoading: boolean;
  entitlement: Entitlement;
  quota: Quota | null;
  model: ModelName | null;
  isRunning: boolean;
}

export interface ButtonRule {
  isDisabled: boolean;
  click: 'predict' | 'upgrade' | 'nothing';
  /** '{n} left today / {m} this month'; null for admins, who have no limit, and for visitors. */
  text: string | null;
}

export function buttonRule(facts: ButtonFacts): ButtonRule {
  const { isSignedIn, isPlanLoading, entitlement, quota, model, isRunning } = facts;
  if (!isSignedIn) return { isDisabled: true, click: 'nothing', text: null };
  const text = entitlement.isAdmin ? 'No limit' : quotaText(quota);
  const refused = { isDisabled: true, click: 'nothing', text } as const;
  if (isPlanLoading) return refused;
  const isPaid = entitlement.isAdmin || hasFeature(entitlement.plan, 'predictions');
  if (!isPaid) return { isDisabled: true, click: 'upgrade', text };
  const isAllowed = model !== null && entitlement.models.includes(model);
  if (!isAllowed || isRunning) return refused;
  if (!entitlement.isAdmin && (quota === null || !hasLeft(quota))) return refused;
  return { isDisabled: false, click: 'predict', text };
}

/** @param opening  when the closed market opens; null for an open one */
export function whileClosed(rule: ButtonRule, opening: string | null): ButtonRule {
  return opening === null || rule.click !== 'predict' ? rule : { isDisabled: true, click: 'nothing', text: opening };
}

function quotaText(quota: Quota | null): string {
  const [daily, monthly] =
    quota === null ? ['–', '–'] : [describeLeft(quota.remainingDaily), describeLeft(quota.remainingMonthly)];
  return `${daily} left today / ${monthly} this month`;
}

/** The main button of a user without a plan. It opens the plans, like the Prediction button beside it. */
export function UnlockModels({ onClick }: { onClick: () => void }) {
  const id = useId();
  return (
    <span className={styles.unlock} data-unlock data-keep-clear>
      <Button variant="primary" className={styles.main} aria-describedby={id} onClick={onClick}>
        Unlock Models
      </Button>
      <span id={id} className={styles.price}>
        {`Your own forecasts, from ${dollars(PLANS.bobcat.priceCents)} a month`}
      </span>
    </span>
  );
}

/** Reserves the room of `UnlockModels` while the plan loads, for a user who had none on the last visit. */
export function UnlockPlace() {
  return (
    <span className={styles.place} aria-hidden="true">
      <UnlockModels onClick={() => undefined} />
    </span>
  );
}

/** For admins only: stretches a forecast's moves, in per cent. Rejects input that is not a number. */
export function AmplifyField({ percent, onChange }: { percent: number; onChange: (percent: number) => void }) {
  const id = useId();
  const [text, setText] = useState(String(percent));
  return (
    <div className="inline-row gap-2 size-13 weight-500">
      <label htmlFor={id}>Amplify</label>
      <input
        id={id}
        className={`figures ${styles.input}`}
        type="number"
        inputMode="numeric"
        min={0}
        max={MAX_AMPLIFY_PERCENT}
        step={1}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const value = event.target.valueAsNumber;
          if (Number.isFinite(value)) onChange(Math.min(MAX_AMPLIFY_PERCENT, Math.max(0, Math.round(value))));
        }}
        onBlur={() => setText(String(percent))}
      />
      <span className="muted" aria-hidden="true">
        %
      </span>
    </div>
  );
}
