/** Sets a new password by the link or code of a mail. */
import { useNavigate } from 'react-router';
import { AFTER_SIGN_IN } from '../../session/return-path.ts';
import styles from './auth-form.module.css';
import { AuthFrame } from './auth-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

/** @param email  whose password it is: another link may have been followed here than one thinks */
export function ResetPasswordForm({ email }: { email: string | null }) {
  const navigate = useNavigate();
  return (
    <AuthFrame
      heading="Reset password"
      lead={
        <>
          Choose a new password for <strong className={styles.address}>{email ?? 'your account'}</strong>.
        </>
      }
    >
      <NewPasswordForm id="reset-password" email={email} onChanged={() => navigate(AFTER_SIGN_IN, { replace: true })} />
    </AuthFrame>
  );
}
