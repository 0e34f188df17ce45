/** Sign up by e-mail and password; on success to the home page. */
import { Link, useLocation, useNavigate } from 'react-router';
import { signUpSchema } from '#domain/account/credentials.ts';
import { useGuestHold } from '../../session/guards.tsx';
import { Field } from '../../ui/field.tsx';
import { signUp } from './auth-api.ts';
import { AuthForm } from './auth-form.tsx';
import { checkForm } from './check-form.ts';
import { useForm } from './use-form.ts';

const NAMES = ['fullName', 'email', 'password', 'confirmPassword'] as const;
const AFTER_SIGN_UP = '/';

export function SignUpForm() {
  const navigate = useNavigate();
  const guard = useGuestHold();
  const { search, state } = useLocation();
  const { field, ...form } = useForm({
    initial: { fullName: '', email: '', password: '', confirmPassword: '' },
    names: NAMES,
    validate: (values) => checkForm(signUpSchema, values, NAMES),
    submit: async (values) => {
      guard.hold();
      const told = await signUp(values);
      if (told === null) await navigate(AFTER_SIGN_UP, { replace: true });
      else guard.release();
      return told;
    },
  });
  return (
    <AuthForm
      heading="Create your account"
      lead="Free to look around. A plan unlocks the models."
      action="Sign Up"
      {...form}
      footer={
        <>
          <p>
            Already have an account?{' '}
            <Link to={`/auth/signin${search}`} state={state}>
              Sign in
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
