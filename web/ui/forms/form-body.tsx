/** A short form: its fields, the failure, and the button named for its action. Its state is in use-form.ts. */
import type { FormEvent, ReactNode } from 'react';
import { Failure } from '../status/failure.tsx';
import { Button } from './button.tsx';
import styles from './form-body.module.css';

export interface FormBodyProps {
  action: string;
  failure: string | null;
  isBusy: boolean;
  /** The action cannot be undone. */
  isDestructive?: boolean;
  onSubmit: (event: FormEvent) => Promise<void>;
  /** One field with its button beside it, inside a larger form. */
  isInline?: boolean | undefined;
  /** Names the form among others with the same button; otherwise the button's label does. */
  name?: string;
  /** Id of a heading that names the form. */
  labelledBy?: string;
  /** Further buttons, right of the submit button, which is then only as wide as its label. */
  beside?: ReactNode;
  children: ReactNode;
}

export function FormBody(props: FormBodyProps) {
  const { action, failure, isBusy, isDestructive = false, onSubmit } = props;
  const { isInline = false, name = action, labelledBy, beside, children } = props;
  const isBlock = !isInline && beside === undefined;
  const submit = (
    <Button
      type="submit"
      variant={isDestructive ? 'danger' : isInline ? 'secondary' : 'primary'}
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
      className={isInline ? styles.inline : 'grid gap-4'}
      aria-label={labelledBy === undefined ? name : undefined}
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
