/** Requests a password email, then takes its code, for users who read email on another device. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { mailAddressSchema } from '#domain/account/credentials.ts';
import { useGuestHold } from '../../session/guards.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { FormBody } from '../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import { sendPasswordMail } from './auth-api.ts';
import { AuthFrame } from './auth-form.tsx';
import { MailCodeForm } from './mail-code-form.tsx';

const NAMES = ['email'] as const;

export function ForgotPasswordForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [wasSent, setWasSent] = useState(false);
  const { field, ...form } = useForm({
    id: 'forgot-password',
    initial: { email: '' },
    names: NAMES,
    validate: (values) => checkForm(mailAddressSchema, values, NAMES),
    submit: async ({ email }) => {
      const message = await sendPasswordMail(email);
      if (message !== null) return message;
      setSentTo(email);
      setWasSent(true);
      return null;
    },
  });
  if (sentTo !== null) return <CheckYourEmail email={sentTo} onOther={() => setSentTo(null)} />;
  return (
    <AuthFrame
      heading="Forgot password"
      lead="We’ll email you a link and a code to set a new one."
      isNewView={wasSent}
      footer={<BackToSignIn />}
    >
      <FormBody action="Send reset link" {...form}>
        <Field label="Email" type="email" autoComplete="email" {...field('email')} />
      </FormBody>
    </AuthFrame>
  );
}

function CheckYourEmail({ email, onOther }: { email: string; onOther: () => void }) {
  const navigate = useNavigate();
  const guard = useGuestHold();
  return (
    <AuthFrame
      heading="Check your email"
      lead={
        <>
          If <strong className="text weight-500 break-anywhere">{email}</strong> has an account, we’ve sent it an email.
          Follow the link in it or enter the code here.
        </>
      }
      isNewView
      footer={<BackToSignIn />}
    >
      <MailCodeForm
        email={email}
        type="recovery"
        action="Continue"
        onTry={guard.hold}
        onRefused={guard.release}
        onProven={() => void navigate('/auth/reset-password', { replace: true })}
      />
      <Button variant="quiet" onClick={onOther}>
        Try another email
      </Button>
    </AuthFrame>
  );
}

function BackToSignIn() {
  return (
    <p>
      <Link to="/auth/signin">Back to sign in</Link>
    </p>
  );
}
