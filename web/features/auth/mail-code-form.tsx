import { mailCodeSchema } from '#domain/account/credentials.ts';
import { Field } from '../../ui/forms/field.tsx';
import { FormBody } from '../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import { type MailCodeType, verifyCode } from './auth-api.ts';

const NAMES = ['code'] as const;

export interface MailCodeFormProps {
  email: string;
  type: MailCodeType;
  action: string;
  isInline?: boolean;
  /** Set when the form replaced the clicked button. */
  takesFocus?: boolean;
  /** Called before the session changes, so that a guard can wait. */
  onTry?: () => void;
  onRefused?: () => void;
  onProven?: () => void;
}

export function MailCodeForm({ email, type, action, isInline, takesFocus, ...on }: MailCodeFormProps) {
  const { field, ...form } = useForm({
    id: 'mail-code',
    initial: { code: '' },
    names: NAMES,
    validate: (values) => checkForm(mailCodeSchema, values, NAMES),
    submit: async ({ code }) => {
      on.onTry?.();
      const message = await verifyCode({ email, code, type });
      if (message === null) on.onProven?.();
      else on.onRefused?.();
      return message;
    },
  });
  return (
    <FormBody action={action} isInline={isInline} {...form}>
      <Field
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus={takesFocus}
        help="The 6 digits in the email."
        {...field('code')}
      />
    </FormBody>
  );
}
