/** What failed, and the way out where that is signing in anew: the guard of the page remembers where one was. */
import { useState } from 'react';
import type { Told } from '#domain/account/second-factor-messages.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Failure } from '../../../ui/status/failure.tsx';

export function ToldFailure({ told }: { told: Told }) {
  return (
    <>
      <Failure>{told.words}</Failure>
      {told.asksToSignIn && <SignInAgain />}
    </>
  );
}

export function SignInAgain() {
  const { signOut } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await signOut();
  };
  return (
    <Button isBusy={isLeaving} onClick={() => void leave()}>
      Sign in again
    </Button>
  );
}
