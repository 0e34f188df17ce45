/** Something that is on or off at once, without a Save button. */
import styles from './switch.module.css';

export interface SwitchProps {
  label: string;
  /** Read out in place of a label that stands in a sentence; holds its words. */
  name?: string;
  isOn: boolean;
  onToggle: () => void;
  isDisabled?: boolean;
}

export function Switch({ label, name, isOn, onToggle, isDisabled = false }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={name}
      disabled={isDisabled}
      className={styles.switch}
      onClick={onToggle}
    >
      <span className={styles.track} aria-hidden="true" />
      {label}
    </button>
  );
}
