/** The page guard remembers where a user who signs in again was. */
import { useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Failure } from '../../../ui/status/failure.tsx';

export function ProblemNotice({ problem }: { problem: ReportedProblem }) {
  return (
    <>
      <Failure>{problem.message}</Failure>
      {problem.needsSignIn && <SignInAgain />}
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
