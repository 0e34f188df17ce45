/** Takes a new password twice, by the rules of sign-up, and sets it for the signed-in user. */
import type { ReactNode } from 'react';
import { PASSWORD_CHANGED } from '#domain/account/auth-messages.ts';
import { newPasswordSchema } from '#domain/account/credentials.ts';
import { Field } from '../../ui/forms/field.tsx';
import { FormBody } from '../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { setPassword } from './auth-api.ts';

const NAMES = ['password', 'confirmPassword'] as const;

export interface NewPasswordFormProps {
  id: string;
  /** Password managers store the new password under this name. */
  email: string | null;
  onChanged: () => void | Promise<void>;
  beside?: ReactNode;
  /** True when the user has just opened the form. */
  hasFocus?: boolean;
}

export function NewPasswordForm({ id, email, onChanged, beside, hasFocus = false }: NewPasswordFormProps) {
  const { field, ...form } = useForm({
    id,
    initial: { password: '', confirmPassword: '' },
    names: NAMES,
    validate: (values) => checkForm(newPasswordSchema, values, NAMES),
    submit: async ({ password }) => {
      const message = await setPassword(password);
      if (message !== null) return message;
      toast.success(PASSWORD_CHANGED);
      await onChanged();
      return null;
    },
  });
  return (
    <FormBody action="Save password" beside={beside} {...form}>
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        autoFocus={hasFocus}
        help="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
        {...field('password')}
      />
      <Field label="Confirm password" type="password" autoComplete="new-password" {...field('confirmPassword')} />
    </FormBody>
  );
}
