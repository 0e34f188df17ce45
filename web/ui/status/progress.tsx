import styles from './progress.module.css';

export interface ProgressProps {
  label: string;
  value: number;
  max: number;
}

export function Progress({ label, value, max }: ProgressProps) {
  return (
    <label className={styles.progress}>
      <span className="flex between gap-3 size-13">
        {label}
        <span className="figures">{`${value} of ${max}`}</span>
      </span>
      <progress className={styles.bar} value={value} max={max}>
        {`${value} of ${max}`}
      </progress>
    </label>
  );
}
