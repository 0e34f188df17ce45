/** An on/off setting that applies immediately, without a Save button. */
import styles from './switch.module.css';

export interface SwitchProps {
  label: string;
  /** Accessible name in place of a label that is part of a sentence; it contains the label's text. */
  name?: string;
  isOn: boolean;
  onToggle: () => void;
  isDisabled?: boolean;
  describedBy?: string;
}

export function Switch({ label, name, isOn, onToggle, isDisabled = false, describedBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={name}
      aria-describedby={describedBy}
      disabled={isDisabled}
      className={styles.switch}
      onClick={onToggle}
    >
      <span className={styles.track} aria-hidden="true" />
      {label}
    </button>
  );
}
