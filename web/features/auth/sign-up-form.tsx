import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { NO_SESSION_AFTER_SIGN_UP } from '#domain/account/auth-messages.ts';
import { signUpSchema } from '#domain/account/credentials.ts';
import { useGuestHold } from '../../session/guards.tsx';
import { nextPath } from '../../session/return-path.ts';
import { Field } from '../../ui/forms/field.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import { signUp } from './auth-api.ts';
import { AuthForm } from './auth-form.tsx';
import { MailCodeForm } from './mail-code-form.tsx';

const NAMES = ['fullName', 'email', 'password', 'confirmPassword'] as const;
const AFTER_SIGN_UP = '/';
/** With it, the home page shows its welcome. */
const JUST_SIGNED_UP = { hasSignedUp: true };

export function SignUpForm() {
  const navigate = useNavigate();
  const guard = useGuestHold();
  const { search, state } = useLocation();
  const leave = () => {
    const next = nextPath(search, window.location.origin) ?? AFTER_SIGN_UP;
    return navigate(next, { replace: true, state: next === AFTER_SIGN_UP ? JUST_SIGNED_UP : null });
  };
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const { field, ...form } = useForm({
    id: 'sign-up',
    initial: { fullName: '', email: '', password: '', confirmPassword: '' },
    names: NAMES,
    validate: (values) => checkForm(signUpSchema, values, NAMES),
    submit: async (values) => {
      guard.hold();
      const message = await signUp(values);
      if (message === null) await leave();
      else guard.release();
      setUnconfirmed(message === NO_SESSION_AFTER_SIGN_UP ? values.email : null);
      return message;
    },
  });
  return (
    <AuthForm
      heading="Create your account"
      lead="Free to look around. A plan unlocks the models."
      action="Sign Up"
      {...form}
      sequel={
        unconfirmed !== null && (
          <div className="grid gap-4">
            <p className="muted">
              Check the inbox of <strong className="text weight-500 break-anywhere">{unconfirmed}</strong>. Follow the
              link in our email or enter the code here.
            </p>
            <MailCodeForm
              email={unconfirmed}
              type="email"
              action="Verify"
              isInline
              onTry={guard.hold}
              onRefused={guard.release}
              onProven={() => void leave()}
            />
          </div>
        )
      }
      footer={
        <>
          <p>
            Already have an account?{' '}
            <Link to={`/auth/signin${search}`} state={state}>
              Sign In
            </Link>
          </p>
          <p>
            Read the <Link to="/legal">terms and privacy notice</Link>.
          </p>
        </>
      }
    >
      <Field label="Full name" autoComplete="name" {...field('fullName')} />
      <Field label="Email" type="email" autoComplete="email" {...field('email')} />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        help="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
        {...field('password')}
      />
      <Field label="Confirm password" type="password" autoComplete="new-password" {...field('confirmPassword')} />
    </AuthForm>
  );
}
