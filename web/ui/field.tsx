/** A labelled input: label above, help below, the error in words in its place, tied together for every reader. */
import { CircleAlert } from 'lucide-react';
import { type InputHTMLAttributes, type Ref, useId } from 'react';
import styles from './field.module.css';

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, help, error, id, ...rest }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${inputId}-note`;
  const hasNote = error !== undefined || help !== undefined;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      <input
        {...rest}
        id={inputId}
        className={styles.input}
        aria-invalid={error !== undefined}
        aria-describedby={hasNote ? noteId : undefined}
      />
      <Note id={noteId} help={help} error={error} />
    </div>
  );
}

function Note({ id, help, error }: { id: string; help: string | undefined; error: string | undefined }) {
  if (error !== undefined) {
    return (
      <p id={id} className={styles.error}>
        <CircleAlert size={15} aria-hidden="true" />
        {error}
      </p>
    );
  }
  return help === undefined ? null : (
    <p id={id} className={styles.help}>
      {help}
    </p>
  );
}
