/** Labelled inputs: label above, help below, the error in words in its place, tied together for every reader. */
import { CircleAlert } from 'lucide-react';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface Labels {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
}

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement>, Labels {
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, help, error, id, ...rest }: FieldProps) {
  return (
    <Frame labels={{ label, help, error }} id={id}>
      {(tied) => <input {...rest} {...tied} className={styles.input} />}
    </Frame>
  );
}

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement>, Labels {
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ label, help, error, id, rows = 4, ...rest }: TextAreaProps) {
  return (
    <Frame labels={{ label, help, error }} id={id}>
      {(tied) => <textarea {...rest} {...tied} rows={rows} className={classNames(styles.input, styles.area)} />}
    </Frame>
  );
}

/** The browser's own list, for long ones (time zones) and plain forms; for a few with more to say: Picker. */
export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement>, Labels {
  ref?: Ref<HTMLSelectElement>;
  /** No empty value: what means nothing chosen has a word of its own. */
  options: readonly { value: string; label: string }[];
}

export function Select({ label, help, error, id, options, ...rest }: SelectProps) {
  return (
    <Frame labels={{ label, help, error }} id={id}>
      {(tied) => (
        <select {...rest} {...tied} className={classNames(styles.input, styles.select)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>, Labels {
  ref?: Ref<HTMLInputElement>;
}

/** One thing agreed to or not, sent with the form it stands in. */
export function Checkbox({ label, help, error, id, ...rest }: CheckboxProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <div className={styles.field}>
      <div className={styles.check}>
        <input {...rest} {...tiesOf(inputId, help, error)} type="checkbox" />
        <label htmlFor={inputId}>{label}</label>
      </div>
      <Note id={noteOf(inputId)} help={help} error={error} />
    </div>
  );
}

interface Ties {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface FrameProps {
  labels: Labels;
  id: string | undefined;
  children: (tied: Ties) => ReactNode;
}

function Frame({ labels: { label, help, error }, id, children }: FrameProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      {children(tiesOf(inputId, help, error))}
      <Note id={noteOf(inputId)} help={help} error={error} />
    </div>
  );
}

function tiesOf(id: string, help: string | undefined, error: string | undefined): Ties {
  const hasNote = error !== undefined || help !== undefined;
  return { id, 'aria-invalid': error !== undefined, 'aria-describedby': hasNote ? noteOf(id) : undefined };
}

function noteOf(inputId: string): string {
  return `${inputId}-note`;
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
