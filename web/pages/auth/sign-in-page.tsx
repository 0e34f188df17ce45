import { useEffect, useRef } from 'react';
import { SecondFactorForm } from '../../features/auth/second-factor-form.tsx';
import { SignInForm } from '../../features/auth/sign-in-form.tsx';
import { useSession } from '../../session/session.ts';

export default function SignInPage() {
  const { held } = useSession();
  const wasHeld = useRef(false);
  useEffect(() => {
    if (held !== null) wasHeld.current = true;
  }, [held]);
  if (held !== null) return <SecondFactorForm held={held} />;
  return <SignInForm isNewView={wasHeld.current} />;
}
