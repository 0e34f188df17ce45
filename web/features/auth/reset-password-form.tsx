/** Sets a new password, by the rules of sign-up, for whoever is signed in: usually by the link or code of a mail. */
import { useNavigate } from 'react-router';
import { PASSWORD_CHANGED } from '#domain/account/auth-messages.ts';
import { newPasswordSchema } from '#domain/account/credentials.ts';
import { AFTER_SIGN_IN } from '../../session/return-path.ts';
import { checkForm } from '../../ui/check-form.ts';
import { Field } from '../../ui/field.tsx';
import { FormBody } from '../../ui/form-body.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { setPassword } from './account-mail-api.ts';
import styles from './auth-form.module.css';
import { AuthFrame } from './auth-form.tsx';

const NAMES = ['password', 'confirmPassword'] as const;

/** @param email  whose password it is: another link may have been followed here than one thinks */
export function ResetPasswordForm({ email }: { email: string | null }) {
  const navigate = useNavigate();
  const { field, ...form } = useForm({
    id: 'reset-password',
    initial: { password: '', confirmPassword: '' },
    names: NAMES,
    validate: (values) => checkForm(newPasswordSchema, values, NAMES),
    submit: async ({ password }) => {
      const told = await setPassword(password);
      if (told !== null) return told;
      toast.success(PASSWORD_CHANGED);
      await navigate(AFTER_SIGN_IN, { replace: true });
      return null;
    },
  });
  return (
    <AuthFrame
      heading="Reset password"
      lead={
        <>
          Choose a new password for <strong className={styles.address}>{email ?? 'your account'}</strong>.
        </>
      }
    >
      <FormBody action="Save password" {...form}>
        {/* Password managers file the new password under this name. */}
        <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
          {...field('password')}
        />
        <Field label="Confirm password" type="password" autoComplete="new-password" {...field('confirmPassword')} />
      </FormBody>
    </AuthFrame>
  );
}
