/** /auth/forgot-password: asks for a reset e-mail. */

import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function ForgotPasswordPage() {
  return (
    <BeingBuilt
      heading="Forgot password"
      text="This page is being built. A new password cannot be requested here yet."
      actions={
        <LinkButton to="/auth/signin" variant="primary">
          Back to sign in
        </LinkButton>
      }
    />
  );
}
