/** /auth/reset-password: where reset e-mails lead. */

import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function ResetPasswordPage() {
  return (
    <BeingBuilt
      heading="Reset password"
      text="This page is being built. A password cannot be reset here yet."
      actions={
        <LinkButton to="/auth/signin" variant="primary">
          Back to sign in
        </LinkButton>
      }
    />
  );
}
