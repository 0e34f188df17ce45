/** Shown when a confirmation link was refused; the next step depends on the user's sign-in state. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { linkMessage } from '#domain/account/auth-messages.ts';
import { mailAddressSchema } from '#domain/account/credentials.ts';
import { AFTER_SIGN_IN } from '../../session/return-path.ts';
import type { SessionUser } from '../../session/session.ts';
import { Field } from '../../ui/forms/field.tsx';
import { FormBody } from '../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import { sendConfirmation } from './auth-api.ts';
import { AuthFrame, NextStepLink } from './auth-form.tsx';
import { MailCodeForm } from './mail-code-form.tsx';

const HEADING = 'This link no longer works';
const NAMES = ['email'] as const;

/** @param code  `error_code` in the URL */
export function ConfirmationLinkOver({ code, user }: { code: string; user: SessionUser | null }) {
  if (user === null) return <ResendForm code={code} />;
  const lead = user.emailConfirmed
    ? 'This link has expired or was already used. Your email is verified. There’s nothing left to do.'
    : linkMessage(code);
  return (
    <AuthFrame heading={HEADING} lead={lead}>
      <NextStepLink to={AFTER_SIGN_IN}>Go to the dashboard</NextStepLink>
    </AuthFrame>
  );
}

/** The profile shows a change that still waits, and sends its emails again. */
export function ChangeLinkOver({ code }: { code: string }) {
  return (
    <AuthFrame heading={HEADING} lead={linkMessage(code)}>
      <NextStepLink to="/account">Go to your profile</NextStepLink>
    </AuthFrame>
  );
}

function ResendForm({ code }: { code: string }) {
  const navigate = useNavigate();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { field, ...form } = useForm({
    id: 'confirmation-mail',
    initial: { email: '' },
    names: NAMES,
    validate: (values) => checkForm(mailAddressSchema, values, NAMES),
    submit: async ({ email }) => {
      const message = await sendConfirmation(email);
      if (message === null) setSentTo(email);
      return message;
    },
  });
  const footer = (
    <p>
      Already confirmed? <Link to="/auth/signin">Sign In</Link>
    </p>
  );
  if (sentTo === null) {
    return (
      <AuthFrame heading={HEADING} lead={linkMessage(code)} footer={footer}>
        <FormBody action="Send a new one" {...form}>
          <Field label="Email" type="email" autoComplete="email" {...field('email')} />
        </FormBody>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      heading="Check your email"
      lead={
        <>
          If <strong className="text weight-500 break-anywhere">{sentTo}</strong> is waiting to be confirmed, we’ve sent
          it an email. Follow the link in it or enter the code here.
        </>
      }
      isNewView
      footer={footer}
    >
      <MailCodeForm
        email={sentTo}
        type="email"
        action="Verify"
        onProven={() => void navigate(AFTER_SIGN_IN, { replace: true })}
      />
    </AuthFrame>
  );
}
