/** Lets a signed-in user change the password, beside the account's other ways to sign in. */
import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './change-password-panel.module.css';
import { NewPasswordForm } from './new-password-form.tsx';

export interface ChangePasswordPanelProps {
  email: string | null;
  /** The server has signed every other device out. */
  onChanged: () => void;
}

export function ChangePasswordPanel(props: ChangePasswordPanelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel heading="Password">
      <p className={styles.lead}>
        A new password signs out every other device. If you signed up with Google or GitHub, it gives you a second way
        to sign in.
      </p>
      {isOpen ? (
        <ChangePasswordForm {...props} onClose={() => setOpen(false)} />
      ) : (
        <Button onClick={() => setOpen(true)}>Change password</Button>
      )}
    </Panel>
  );
}

function ChangePasswordForm({ email, onChanged, onClose }: ChangePasswordPanelProps & { onClose: () => void }) {
  const close = () => {
    onChanged();
    onClose();
  };
  return (
    <div className={styles.form}>
      <NewPasswordForm
        id="change-password"
        email={email}
        onChanged={close}
        beside={<Cancel onClose={onClose} />}
        hasFocus
      />
    </div>
  );
}

function Cancel({ onClose }: { onClose: () => void }) {
  return (
    <Button variant="quiet" onClick={onClose}>
      Cancel
    </Button>
  );
}
