import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { STORAGE_BLOCKED } from '#domain/account/auth-messages.ts';
import { KatMark } from '../../brand/marks.tsx';
import { PROVIDER_MARKS } from '../../brand/provider-marks.tsx';
import { returnPath } from '../../session/return-path.ts';
import { useStorageBlocked } from '../../session/storage-blocked.ts';
import { useProviderKinds } from '../../site/site-config.ts';
import { Button, LinkButton, type LinkButtonProps } from '../../ui/forms/button.tsx';
import { FormBody, type FormBodyProps } from '../../ui/forms/form-body.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Failure } from '../../ui/status/failure.tsx';
import { signInWith } from './auth-api.ts';
import styles from './auth-form.module.css';
import { AuthPicture } from './auth-picture.tsx';

interface AuthFrameProps {
  heading: string;
  headingId?: string;
  lead: ReactNode;
  /** Replaces another view of the same page: the heading takes the focus, so screen readers announce it. */
  isNewView?: boolean | undefined;
  footer?: ReactNode;
  children?: ReactNode;
}

export function AuthFrame({ heading, headingId, lead, isNewView = false, footer, children }: AuthFrameProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNewView) title.current?.focus();
  }, [isNewView]);
  return (
    <Page className={styles.page}>
      <div className={styles.column}>
        <div className="grid gap-1">
          <KatMark size={36} className={styles.mark} />
          <h1 ref={title} id={headingId} tabIndex={-1} className={styles.title}>
            {heading}
          </h1>
          <p className="muted">{lead}</p>
        </div>
        {children}
        {footer && <div className={styles.footer}>{footer}</div>}
      </div>
      <AuthPicture />
    </Page>
  );
}

/** The one next step on a page without input. */
export function NextStepLink(props: LinkButtonProps) {
  return <LinkButton {...props} variant="primary" isBlock className={styles.wayOn} />;
}

interface AuthFormProps extends FormBodyProps {
  heading: string;
  lead: string;
  isNewView?: boolean | undefined;
  footer: ReactNode;
  /** Directly below the form: its result. */
  sequel?: ReactNode;
}

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

const PROVIDERS = [
  { id: 'google', name: 'Google' },
  { id: 'github', name: 'GitHub' },
] as const;
const NOT_YET = 'Not available yet';

export function OAuthButtons() {
  const { search, state } = useLocation();
  const kinds = useProviderKinds();
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    // The browser's back button restores the page as it was left.
    const stay = () => setLeavingTo(null);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  async function leave(provider: (typeof PROVIDERS)[number]): Promise<void> {
    setLeavingTo(provider.id);
    setFailure(null);
    const message = await signInWith(provider, returnPath(search, state, window.location.origin));
    if (message === null) return;
    setFailure(message);
    setLeavingTo(null);
  }

  const sandboxNames = PROVIDERS.filter(({ id }) => kinds?.[id] === 'sandbox').map(({ name }) => name);
  const areAllOff = kinds !== null && PROVIDERS.every(({ id }) => kinds[id] === 'off');
  return (
    <div>
      <p className={styles.divider}>or</p>
      <div className={styles.providers}>
        {PROVIDERS.map((provider) => (
          <Button
            key={provider.id}
            disabled={kinds?.[provider.id] === 'off' || (leavingTo !== null && leavingTo !== provider.id)}
            isBusy={leavingTo === provider.id}
            icon={createElement(PROVIDER_MARKS[provider.id])}
            title={titleOf(provider.name, kinds?.[provider.id])}
            onClick={() => void leave(provider)}
          >
            {provider.name}
          </Button>
        ))}
      </div>
      {failure !== null && <Failure className={styles.note}>{failure}</Failure>}
      {sandboxNames.length > 0 && (
        <p className={styles.note}>{`Test sign-in: no real ${sandboxNames.join(' or ')} account is used`}</p>
      )}
      {areAllOff && <p className={styles.note}>Signing in with Google or GitHub is not available yet.</p>}
    </div>
  );
}

function titleOf(name: string, kind: 'live' | 'sandbox' | 'off' | undefined): string | undefined {
  if (kind === 'sandbox') return `Test sign-in, not ${name}`;
  return kind === 'off' ? NOT_YET : undefined;
}
