import { useEffect, useRef } from 'react';
import { SecondFactorForm } from '../../features/auth/second-factor-form.tsx';
import { SignInForm } from '../../features/auth/sign-in-form.tsx';
import { useSession } from '../../session/session.ts';

export default function SignInPage() {
  const { pending } = useSession();
  const wasPending = useRef(false);
  useEffect(() => {
    if (pending !== null) wasPending.current = true;
  }, [pending]);
  if (pending !== null) return <SecondFactorForm pending={pending} />;
  return <SignInForm isNewView={wasPending.current} />;
}
