/** A short form: its fields, what failed, and the button that is named for its action. State: use-form.ts. */
import type { FormEvent, ReactNode } from 'react';
import { Failure } from '../status/failure.tsx';
import { Button } from './button.tsx';
import styles from './form-body.module.css';

export interface FormBodyProps {
  /** The button is named for its action. */
  action: string;
  failure: string | null;
  isBusy: boolean;
  onSubmit: (event: FormEvent) => Promise<void>;
  /** One field with its button beside it, inside something larger. */
  isInline?: boolean | undefined;
  /** Of a heading that names the form; otherwise it is named as its button. */
  labelledBy?: string;
  /** Other buttons, right of that of the form, which is no wider than its words then. */
  beside?: ReactNode;
  children: ReactNode;
}

export function FormBody(props: FormBodyProps) {
  const { action, failure, isBusy, onSubmit, isInline = false, labelledBy, beside, children } = props;
  const isBlock = !isInline && beside === undefined;
  const submit = (
    <Button
      type="submit"
      variant={isInline ? 'secondary' : 'primary'}
      isBlock={isBlock}
      isBusy={isBusy}
      className={isBlock ? styles.submit : undefined}
    >
      {action}
    </Button>
  );
  return (
    <form
      noValidate
      className={isInline ? styles.inline : styles.form}
      aria-label={labelledBy === undefined ? action : undefined}
      aria-labelledby={labelledBy}
      onSubmit={(event) => void onSubmit(event)}
    >
      {children}
      {failure !== null && <Failure className={styles.failure}>{failure}</Failure>}
      {beside === undefined ? (
        submit
      ) : (
        <div className={styles.actions}>
          {submit}
          {beside}
        </div>
      )}
    </form>
  );
}
