/** The page of an invitation's link: nothing is used up before the reader accepts it. */
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/forms/button.tsx';
import { Failure } from '../../ui/status/failure.tsx';
import { acceptInvitation } from './auth-api.ts';
import { AuthFrame } from './auth-form.tsx';

export interface InvitationFormProps {
  token: string;
  /** Of the user who is signed in, if any. */
  signedInAs: string | null;
  onAccepted: () => void;
}

export function InvitationForm({ token, signedInAs, onAccepted }: InvitationFormProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const accept = async () => {
    setBusy(true);
    const message = await acceptInvitation(token);
    setBusy(false);
    setFailure(message);
    if (message === null) onAccepted();
  };
  return (
    <AuthFrame
      heading="You’re invited to Kat"
      lead="Accept the invitation, and choose a password for your account."
      footer={
        <p>
          Has the invitation expired? <Link to="/auth/forgot-password">Request a password email</Link>
        </p>
      }
    >
      {signedInAs !== null && (
        <p>
          You are signed in as <strong className="break-anywhere">{signedInAs}</strong>. Accepting signs you in to the
          invited account instead.
        </p>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
      <Button variant="primary" isBlock isBusy={isBusy} onClick={() => void accept()}>
        Accept the invitation
      </Button>
    </AuthFrame>
  );
}
