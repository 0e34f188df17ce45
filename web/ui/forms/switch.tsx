/** Something that is on or off at once, without a Save button. */
import styles from './switch.module.css';

export interface SwitchProps {
  label: string;
  /** Read out in place of a label that stands in a sentence; holds its words. */
  name?: string;
  isOn: boolean;
  onToggle: () => void;
  isDisabled?: boolean;
  /** Id of what says more about it. */
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
