import styles from './button-row.module.css';

export interface ButtonRowProps<Value extends string | number> {
  label: string;
  values: readonly Value[];
  /** The pressed button; null: none. */
  value: Value | null;
  nameOf: (value: Value) => string;
  onChange: (value: Value) => void;
}

/** A few short figures side by side, one of them pressed. */
export function ButtonRow<Value extends string | number>(props: ButtonRowProps<Value>) {
  return (
    <fieldset className={styles.row}>
      <legend className="visually-hidden">{props.label}</legend>
      {props.values.map((value) => (
        <button
          key={value}
          type="button"
          className={styles.button}
          aria-label={props.nameOf(value)}
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {value}
        </button>
      ))}
    </fieldset>
  );
}
