/** A new password for whoever is signed in, beside the other things that open the account. */
import { useState } from 'react';
import { PASSWORD_CHANGED } from '#domain/account/auth-messages.ts';
import { newPasswordSchema } from '#domain/account/credentials.ts';
import { Button } from '../../ui/button.tsx';
import { checkForm } from '../../ui/check-form.ts';
import { Field } from '../../ui/field.tsx';
import { FormBody } from '../../ui/form-body.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { setPassword } from './account-mail-api.ts';
import styles from './change-password-panel.module.css';

const NAMES = ['password', 'confirmPassword'] as const;

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
        A new password signs every other device out. If you signed up with Google or GitHub, it is one more way in.
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
  const { field, ...form } = useForm({
    id: 'change-password',
    initial: { password: '', confirmPassword: '' },
    names: NAMES,
    validate: (values) => checkForm(newPasswordSchema, values, NAMES),
    submit: async ({ password }) => {
      const told = await setPassword(password);
      if (told !== null) return told;
      toast.success(PASSWORD_CHANGED);
      onChanged();
      onClose();
      return null;
    },
  });
  return (
    <div className={styles.form}>
      <FormBody action="Save password" beside={<Cancel onClose={onClose} />} {...form}>
        {/* Password managers file the new password under this name. */}
        <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          autoFocus
          help="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
          {...field('password')}
        />
        <Field label="Confirm password" type="password" autoComplete="new-password" {...field('confirmPassword')} />
      </FormBody>
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
