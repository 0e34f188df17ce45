/** Frame of the authentication pages and their forms: heading, form, other ways to sign in. */
import { type ReactNode, useEffect, useRef } from 'react';
import { STORAGE_BLOCKED } from '#domain/account/auth-messages.ts';
import { KatMark } from '../../brand/marks.tsx';
import { useStorageBlocked } from '../../session/storage-blocked.ts';
import { LinkButton, type LinkButtonProps } from '../../ui/forms/button.tsx';
import { FormBody, type FormBodyProps } from '../../ui/forms/form-body.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './auth-form.module.css';
import { OAuthButtons } from './oauth-buttons.tsx';

export interface AuthFrameProps {
  heading: string;
  headingId?: string;
  lead: ReactNode;
  /** Replaces another view of the same page: the heading takes the focus, so screen readers announce it. */
  isNewView?: boolean | undefined;
  /** At the bottom: a link to the other form, the terms. */
  footer?: ReactNode;
  children?: ReactNode;
}

export function AuthFrame({ heading, headingId, lead, isNewView = false, footer, children }: AuthFrameProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNewView) title.current?.focus();
  }, [isNewView]);
  return (
    <Page width="form" className={styles.page}>
      <div className={styles.head}>
        <KatMark size={36} className={styles.mark} />
        <h1 ref={title} id={headingId} tabIndex={-1} className={styles.title}>
          {heading}
        </h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      {children}
      {footer && <div className={styles.footer}>{footer}</div>}
    </Page>
  );
}

/** The one next step on a page without input. */
export function WayOn(props: LinkButtonProps) {
  return <LinkButton {...props} variant="primary" isBlock className={styles.wayOn} />;
}

export interface AuthFormProps extends FormBodyProps {
  heading: string;
  lead: string;
  isNewView?: boolean | undefined;
  footer: ReactNode;
  /** Directly below the form: its result. */
  sequel?: ReactNode;
}

/** Frame for sign-in and sign-up: the form, with the providers below it. */
export function AuthForm({ heading, lead, isNewView, footer, sequel, ...form }: AuthFormProps) {
  const isBlocked = useStorageBlocked();
  return (
    <AuthFrame heading={heading} lead={lead} isNewView={isNewView} footer={footer}>
      {isBlocked && <Notice tone="warning">{STORAGE_BLOCKED}</Notice>}
      <FormBody {...form} />
      {sequel}
      <OAuthButtons />
    </AuthFrame>
  );
}
