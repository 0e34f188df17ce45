/** Deletion is not implemented, and the page says so (R-ACCOUNT-15); the operator deletes accounts with a command. */
import { useState } from 'react';
import { Link } from 'react-router';
import { reportError } from '../../../platform/error-log.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import styles from './account-deletion.module.css';

/** Specified texts. */
const QUESTION = 'Are you sure you want to delete your account? This action cannot be undone.';
const NOT_IMPLEMENTED = 'Account deletion not implemented';

export function DangerZone() {
  const [isConfirming, setConfirming] = useState(false);
  const [isNoticeShown, setNoticeShown] = useState(false);

  const remove = () => {
    setConfirming(false);
    setNoticeShown(true);
    toast.error(NOT_IMPLEMENTED);
    reportError(new Error(NOT_IMPLEMENTED), { where: 'account deletion' });
  };

  return (
    <Panel heading="Danger Zone" className={styles.zone}>
      <div className={styles.line}>
        <p className={styles.text}>Deleting your account also deletes its profile, predictions and sessions.</p>
        <Button
          variant="danger"
          onClick={() => {
            setNoticeShown(false);
            setConfirming(true);
          }}
        >
          Delete Account
        </Button>
      </div>
      {isNoticeShown && (
        <div className={styles.notice}>
          <Failure>{NOT_IMPLEMENTED}</Failure>
          <p>
            Nothing was deleted. On request, the operator deletes your account and everything stored about you. Write to
            the contact in the <Link to="/legal#privacy-rights">privacy notice</Link>.
          </p>
        </div>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        heading="Delete Account"
        verb="Delete account"
        onClose={() => setConfirming(false)}
        onConfirm={remove}
      >
        <p>{QUESTION}</p>
      </ConfirmDialog>
    </Panel>
  );
}
