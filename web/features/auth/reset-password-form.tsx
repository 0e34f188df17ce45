/** Sets a new password, using the link or code of an email. */
import { useNavigate } from 'react-router';
import { AFTER_SIGN_IN } from '../../session/return-path.ts';
import { AuthFrame } from './auth-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

/** @param email  account being changed, shown because the link may belong to another account than expected */
export function ResetPasswordForm({ email }: { email: string | null }) {
  const navigate = useNavigate();
  return (
    <AuthFrame
      heading="Reset password"
      lead={
        <>
          Choose a new password for{' '}
          <strong className="text weight-500 break-anywhere">{email ?? 'your account'}</strong>.
        </>
      }
    >
      <NewPasswordForm id="reset-password" email={email} onChanged={() => navigate(AFTER_SIGN_IN, { replace: true })} />
    </AuthFrame>
  );
}
