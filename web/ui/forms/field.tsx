/** Labelled inputs: label above, help below, the error in its place, all linked for assistive technology. */
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { counted, groupedCount } from '#domain/format/count.ts';
import { classNames } from '../styles/class-names.ts';
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
    <FieldFrame labels={{ label, help, error }} id={id}>
      {(tied) =>
        rest.type === 'password' ? (
          <Password {...rest} {...tied} label={label} />
        ) : (
          <input {...rest} {...tied} className={styles.input} />
        )
      }
    </FieldFrame>
  );
}

/** Can be shown while it is typed. */
function Password({ label, ...rest }: Omit<FieldProps, 'help' | 'error'>) {
  const [isShown, setShown] = useState(false);
  return (
    <span className={styles.password}>
      <input {...rest} type={isShown ? 'text' : 'password'} className={styles.input} />
      <button type="button" className={styles.show} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'} <span className="visually-hidden">{label.toLowerCase()}</span>
      </button>
    </span>
  );
}

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement>, Labels {
  ref?: Ref<HTMLTextAreaElement>;
  /** Characters used of the limit, shown beside the label. */
  count?: Count;
}

export function TextArea({ label, help, error, id, count, rows = 4, ...rest }: TextAreaProps) {
  return (
    <FieldFrame labels={{ label, help, error }} id={id} count={count}>
      {(tied) => <textarea {...rest} {...tied} rows={rows} className={classNames(styles.input, styles.area)} />}
    </FieldFrame>
  );
}

/** The browser's own list, for long ones (time zones) and plain forms. For a few options with details, use Picker. */
export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement>, Labels {
  ref?: Ref<HTMLSelectElement>;
  /** There is no empty value: the option for "nothing chosen" has its own value. */
  options: readonly { value: string; label: string }[];
}

export function Select({ label, help, error, id, options, ...rest }: SelectProps) {
  return (
    <FieldFrame labels={{ label, help, error }} id={id}>
      {(tied) => (
        <select {...rest} {...tied} className={classNames(styles.input, 'pointer')}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>, Labels {
  ref?: Ref<HTMLInputElement>;
}

/** A checkbox for consent, submitted with its form. */
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

interface Count {
  now: number;
  max: number;
}

export interface FieldFrameProps {
  labels: Labels;
  id: string | undefined;
  count?: Count | undefined;
  /** Renders the control, linked to its label and to the texts below it. */
  children: (tied: Ties) => ReactNode;
}

/** The frame around every field's control; also for controls of several parts. */
export function FieldFrame({ labels: { label, help, error }, id, count, children }: FieldFrameProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <div className={styles.field}>
      <div className="flex between baseline gap-3">
        <label className="size-13 weight-500" htmlFor={inputId}>
          {label}
        </label>
        {count && <Counted {...count} />}
      </div>
      {children(tiesOf(inputId, help, error))}
      <Note id={noteOf(inputId)} help={help} error={error} />
    </div>
  );
}

/** Announced only near the limit: a count at every key would drown out the typed text. */
function Counted({ now, max }: Count) {
  const left = max - now;
  const countText = `${counted(Math.abs(left), 'character')} ${left < 0 ? 'too many' : 'left'}`;
  return (
    <>
      <span className={classNames('figures muted size-12', left < 0 && styles.tooMany)} aria-hidden="true">
        {`${groupedCount(now)} / ${groupedCount(max)}`}
      </span>
      <span role="status" className="visually-hidden">
        {left <= NEAR_THE_END ? countText : ''}
      </span>
    </>
  );
}

const NEAR_THE_END = 20;

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
    <p id={id} className="muted size-13">
      {help}
    </p>
  );
}
