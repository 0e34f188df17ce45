/** The frame of the authentication forms: heading, other ways in, the form, what failed, the button. */
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { KatMark } from '../../ui/marks.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './auth-form.module.css';
import { Failure } from './failure.tsx';
import { OAuthButtons } from './oauth-buttons.tsx';

export interface AuthFormProps {
  heading: string;
  lead: string;
  /** The button is named for its action. */
  action: string;
  failure: string | null;
  isBusy: boolean;
  onSubmit: (event: FormEvent) => Promise<void>;
  /** Below the form: the other form, the terms. */
  footer: ReactNode;
  children: ReactNode;
}

export function AuthForm({ heading, lead, action, failure, isBusy, onSubmit, footer, children }: AuthFormProps) {
  return (
    <Page width="form" className={styles.page}>
      <div className={styles.head}>
        <KatMark size={36} className={styles.mark} />
        <h1>{heading}</h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      <form noValidate className={styles.form} aria-label={action} onSubmit={(event) => void onSubmit(event)}>
        {children}
        {failure !== null && <Failure>{failure}</Failure>}
        <Button type="submit" variant="primary" isBlock isBusy={isBusy} className={styles.submit}>
          {action}
        </Button>
      </form>
      <OAuthButtons />
      <div className={styles.footer}>{footer}</div>
    </Page>
  );
}
