/** Deletes the account (R-ACCOUNT-15); where only the operator does, it says so with the specified message. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { reportError } from '../../../platform/error-log.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import styles from './account-deletion.module.css';
import { type DeletionTerms, fetchDeletionTerms } from './account-deletion-api.ts';
import { AccountDeletionDialog } from './account-deletion-dialog.tsx';

/** Specified texts. */
const QUESTION = 'Are you sure you want to delete your account? This action cannot be undone.';
const NOT_IMPLEMENTED = 'Account deletion not implemented';

type Step = 'closed' | 'question' | 'loading' | { failure: string } | 'by-operator' | DeletionTerms;

export function DangerZone() {
  const [step, setStep] = useState<Step>('closed');
  const { signOut } = useSession();
  const navigate = useNavigate();
  const close = () => setStep('closed');

  const proceed = async () => {
    setStep('loading');
    const terms = await fetchDeletionTerms();
    // Closed meanwhile, it stays closed.
    setStep((now) => (now === 'loading' ? terms : now));
    if (terms !== 'by-operator') return;
    toast.error(NOT_IMPLEMENTED);
    reportError(new Error(NOT_IMPLEMENTED), { where: 'account deletion' });
  };

  const leave = async () => {
    await signOut();
    // The page's guard has sent the visitor to the sign-in page by then.
    await new Promise((done) => setTimeout(done));
    void navigate('/', { replace: true });
    toast.success('Your account was deleted.');
  };

  const failure = typeof step === 'object' && 'failure' in step ? step.failure : null;
  return (
    <Panel heading="Danger Zone" className={styles.zone}>
      <div className={styles.line}>
        <p className={styles.text}>Deleting your account also deletes its profile, predictions and sessions.</p>
        <Button variant="danger" onClick={() => setStep('question')}>
          Delete Account
        </Button>
      </div>
      {step === 'by-operator' && (
        <div className={styles.notice}>
          <Failure>{NOT_IMPLEMENTED}</Failure>
          <p>
            Nothing was deleted. On request, the operator deletes your account and everything stored about you. Write to
            the contact in the <Link to="/legal#privacy-rights">privacy notice</Link>.
          </p>
        </div>
      )}
      <ConfirmDialog
        isOpen={step === 'question' || step === 'loading' || failure !== null}
        heading="Delete Account"
        verb="Delete account"
        isBusy={step === 'loading'}
        failure={failure}
        onClose={close}
        onConfirm={() => void proceed()}
      >
        <p>{QUESTION}</p>
      </ConfirmDialog>
      {typeof step === 'object' && 'proof' in step && (
        <AccountDeletionDialog terms={step} onDeleted={leave} onClose={close} />
      )}
    </Panel>
  );
}
