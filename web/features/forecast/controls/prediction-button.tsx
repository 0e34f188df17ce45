/** The Prediction button. It uses aria-disabled and not `disabled`, because a free user's click opens the plans. */
import { LoaderCircle } from 'lucide-react';
import { classNames } from '../../../ui/styles/class-names.ts';
import type { ButtonRule } from './button-rules.ts';
import styles from './prediction-button.module.css';

export interface PredictionButtonProps {
  rule: ButtonRule;
  /** A forecast is running. */
  isBusy?: boolean;
  onPredict: () => void;
  onUpgrade: () => void;
}

export function PredictionButton({ rule, isBusy = false, onPredict, onUpgrade }: PredictionButtonProps) {
  const onClick = () => {
    if (rule.click === 'predict') onPredict();
    if (rule.click === 'upgrade') onUpgrade();
  };
  return (
    <button
      type="button"
      className={classNames(styles.button, isBusy && styles.busy)}
      aria-disabled={rule.isDisabled}
      aria-busy={isBusy || undefined}
      onClick={onClick}
    >
      <span className={styles.name}>
        {isBusy && <LoaderCircle className={styles.spinner} size={16} aria-hidden="true" />}
        Prediction
      </span>
      {rule.text !== null && (
        <>
          {' '}
          <span className={styles.quota}>{rule.text}</span>
        </>
      )}
    </button>
  );
}
