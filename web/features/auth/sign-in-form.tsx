/** Sign-in by email and password. The guard redirects once the session arrives. */
import { Link, useLocation } from 'react-router';
import { signInSchema } from '#domain/account/credentials.ts';
import { useSession } from '../../session/session.ts';
import { Field } from '../../ui/forms/field.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { signIn } from './auth-api.ts';
import styles from './auth-form.module.css';
import { AuthForm } from './auth-form.tsx';

const NAMES = ['email', 'password'] as const;

/** @param isNewView  it replaced another view of the page */
export function SignInForm({ isNewView }: { isNewView?: boolean }) {
  const { search, state } = useLocation();
  const { hasEnded } = useSession();
  const { field, ...form } = useForm({
    id: 'sign-in',
    initial: { email: '', password: '' },
    names: NAMES,
    validate: (values) => checkForm(signInSchema, values, NAMES),
    submit: signIn,
  });
  return (
    <AuthForm
      heading="Sign in"
      lead="Your predictions, your plan, your quota."
      isNewView={isNewView}
      action="Sign In"
      {...form}
      footer={
        <p>
          No account yet?{' '}
          <Link to={`/auth/signup${search}`} state={state}>
            Sign Up
          </Link>
        </p>
      }
    >
      {hasEnded && <Notice title="Your session has ended.">Sign in to go back to where you were.</Notice>}
      <Field label="Email" type="email" autoComplete="username" {...field('email')} />
      <Field label="Password" type="password" autoComplete="current-password" {...field('password')} />
      <p className={styles.beside}>
        <Link to="/auth/forgot-password">Forgot password?</Link>
      </p>
    </AuthForm>
  );
}
