/** /auth/callback: finishes signing in with another provider. */

import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function AuthCallbackPage() {
  return (
    <BeingBuilt
      heading="Signing in"
      text="This page is being built. Signing in with Google and GitHub is not available yet."
      actions={
        <LinkButton to="/auth/signin" variant="primary">
          Back to sign in
        </LinkButton>
      }
    />
  );
}
