/** The second step of a sign-in: the code of the authenticator app or, if that is lost, a recovery code. */
import { useId, useState } from 'react';
import { factorCodeSchema, recoveryCodeSchema } from '#domain/account/credentials.ts';
import { type PendingSession, useSession } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Field, Select } from '../../ui/forms/field.tsx';
import { FormBody } from '../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../ui/forms/use-form.ts';
import styles from './auth-form.module.css';
import { AuthFrame } from './auth-form.tsx';
import { proveFactor, spendRecoveryCode } from './second-factor-api.ts';

const NAMES = ['code'] as const;

export function SecondFactorForm({ pending }: { pending: PendingSession }) {
  const [usesRecovery, setUsesRecovery] = useState(false);
  return usesRecovery ? (
    <RecoveryCode pending={pending} onBack={() => setUsesRecovery(false)} />
  ) : (
    <AppCode pending={pending} onLost={() => setUsesRecovery(true)} />
  );
}

function AppCode({ pending, onLost }: { pending: PendingSession; onLost: () => void }) {
  const { factors } = pending;
  const [chosen, setChosen] = useState('');
  const factorId = (factors.find(({ id }) => id === chosen) ?? factors[0])?.id ?? '';
  const headingId = useId();
  const { field, ...form } = useForm({
    id: 'second-factor',
    initial: { code: '' },
    names: NAMES,
    validate: (values) => checkForm(factorCodeSchema, values, NAMES),
    submit: ({ code }) => proveFactor(factorId, code),
  });
  return (
    <AuthFrame
      heading="Second factor"
      headingId={headingId}
      lead={
        <>
          <AccountEmail pending={pending} /> is protected by a second factor. Enter the 6 digits your authenticator app
          shows.
        </>
      }
    >
      <FormBody action="Verify" labelledBy={headingId} {...form}>
        {factors.length > 1 && (
          <Select
            id="second-factor-app"
            label="App"
            value={factorId}
            options={factors.map(({ id, name }, index) => ({ value: id, label: name || `Authenticator ${index + 1}` }))}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
        <Field
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          help="The code changes every 30 seconds. Still not accepted? Let your phone set its clock automatically."
          {...field('code')}
        />
      </FormBody>
      <OtherWays label="Use a recovery code" onOther={onLost} />
    </AuthFrame>
  );
}

function RecoveryCode({ pending, onBack }: { pending: PendingSession; onBack: () => void }) {
  const headingId = useId();
  const { field, ...form } = useForm({
    id: 'recovery-code',
    initial: { code: '' },
    names: NAMES,
    validate: (values) => checkForm(recoveryCodeSchema, values, NAMES),
    submit: ({ code }) => spendRecoveryCode(code),
  });
  return (
    <AuthFrame
      heading="Lost your authenticator app?"
      headingId={headingId}
      lead={
        <>
          A recovery code opens <AccountEmail pending={pending} /> once. It removes the app from the account and signs
          you out everywhere else.
        </>
      }
    >
      <FormBody action="Sign in without the app" labelledBy={headingId} {...form}>
        <Field
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          help="12 characters in three groups, such as 7k2m-x4qp-9tha."
          {...field('code')}
        />
      </FormBody>
      <OtherWays label="Use a code from the app" onOther={onBack} />
    </AuthFrame>
  );
}

function AccountEmail({ pending }: { pending: PendingSession }) {
  return <strong className="text weight-500 break-anywhere">{pending.email ?? 'your account'}</strong>;
}

function OtherWays({ label, onOther }: { label: string; onOther: () => void }) {
  const { signOut } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  const cancel = async () => {
    setLeaving(true);
    await signOut();
  };
  return (
    <div className={styles.ways}>
      <Button variant="quiet" onClick={onOther}>
        {label}
      </Button>
      <Button variant="quiet" isBusy={isLeaving} onClick={() => void cancel()}>
        Cancel
      </Button>
    </div>
  );
}
