import MailWarning from 'lucide-react/icons/mail-exclamation-point';
import { useEffect, useState } from 'react';
import { ADDRESS_VERIFIED } from '#domain/account/auth-messages.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import { Failure } from '../../ui/status/failure.tsx';
import { refetchVerification, sendConfirmation } from './auth-api.ts';
import { MailCodeForm } from './mail-code-form.tsx';
import styles from './verify-email-banner.module.css';

const BANNER_ID = 'verify-email';

/** Moves the focus to the banner's first button, if there is a banner. */
export function focusVerification(): void {
  document.getElementById(BANNER_ID)?.querySelector('button')?.focus();
}

export function VerifyEmailBanner() {
  const { user } = useSession();
  if (user === null || user.emailConfirmed || user.email === null) return null;
  return <Banner email={user.email} />;
}

function Banner({ email }: { email: string }) {
  const [isSent, setSent] = useState(false);
  const [isSending, setSending] = useState(false);
  const [takesCode, setTakesCode] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useCheckOnReturn();

  async function send(): Promise<void> {
    setSending(true);
    setFailure(null);
    const message = await sendConfirmation(email);
    setSending(false);
    setFailure(message);
    if (message !== null) return;
    setSent(true);
    setTakesCode(true);
  }

  return (
    <section id={BANNER_ID} className={styles.banner} aria-label="Email verification">
      <MailWarning size={20} aria-hidden="true" className={styles.icon} />
      <div className={styles.body}>
        <p className={styles.text}>Your email is not verified. Some features may be restricted.</p>
        <p role="status" className={styles.sent}>
          {isSent && `We’ve sent an email to ${email}. Follow the link in it or enter the code here.`}
        </p>
        {failure !== null && <Failure>{failure}</Failure>}
        {takesCode && (
          <div className={styles.code}>
            <MailCodeForm email={email} type="email" action="Verify" isInline takesFocus onProven={notifyVerified} />
          </div>
        )}
      </div>
      <div className={styles.actions}>
        <Button isBusy={isSending} onClick={() => void send()}>
          {isSent ? 'Send again' : 'Send verification email'}
        </Button>
        {!takesCode && (
          <Button variant="quiet" onClick={() => setTakesCode(true)}>
            I have a code
          </Button>
        )}
      </div>
    </section>
  );
}

/** The link may be opened in another tab or browser, so this checks on page load and on return to the page. */
function useCheckOnReturn(): void {
  useEffect(() => {
    const check = () => {
      if (document.visibilityState === 'visible') void refetchVerification();
    };
    check();
    document.addEventListener('visibilitychange', check);
    return () => document.removeEventListener('visibilitychange', check);
  }, []);
}

function notifyVerified(): void {
  toast.success(ADDRESS_VERIFIED);
  // The focused field is about to be removed.
  document.getElementById('main')?.focus({ preventScroll: true });
}
