/** Removes an authenticator app after a confirmation. A session without a verified factor needs a code first. */
import { useState } from 'react';
import { factorCodeSchema } from '#domain/account/credentials.ts';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, Select } from '../../../ui/forms/field.tsx';
import { FormBody } from '../../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../../ui/forms/use-form.ts';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { type AuthenticatorApp, proveApp, removeApp } from './two-factor-api.ts';
import { SignInAgain } from './two-factor-failure.tsx';

export interface TwoFactorRemovalProps {
  app: AuthenticatorApp;
  apps: readonly AuthenticatorApp[];
  onRemoved: () => void;
  onClose: () => void;
}

export function TwoFactorRemoval(props: TwoFactorRemovalProps) {
  const { app, apps, onRemoved, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const [needsCode, setNeedsCode] = useState(false);

  const remove = async () => {
    setBusy(true);
    setProblem(null);
    const removal = await removeApp(app.id);
    setBusy(false);
    if (removal.kind === 'removed') onRemoved();
    else if (removal.kind === 'code-needed') setNeedsCode(true);
    else setProblem(removal.problem);
  };

  if (needsCode) return <RemovalByCode {...props} />;
  return (
    <ConfirmDialog
      isOpen
      heading={`Remove ${nameOf(app)}?`}
      verb="Remove"
      cancelLabel="Keep it"
      isBusy={isBusy}
      failure={problem?.message ?? null}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {apps.length === 1 ? (
        <p>
          This is your only app. Without it, your password alone opens the account, and your recovery codes stop
          working.
        </p>
      ) : (
        <p>Its codes stop working. If you signed in with it, you need a code from another app.</p>
      )}
      {problem?.needsSignIn && <SignInAgain />}
    </ConfirmDialog>
  );
}

const NAMES = ['code'] as const;

function RemovalByCode({ app, apps, onRemoved, onClose }: TwoFactorRemovalProps) {
  const [shownBy, setShownBy] = useState(app.id);
  const { field, ...form } = useForm({
    id: 'removal',
    initial: { code: '' },
    names: NAMES,
    validate: (values) => checkForm(factorCodeSchema, values, NAMES),
    submit: async ({ code }) => {
      const refused = await proveApp(shownBy, code);
      if (refused !== null) return refused.message;
      const removal = await removeApp(app.id);
      if (removal.kind === 'removed') onRemoved();
      return removal.kind === 'refused' ? removal.problem.message : null;
    },
  });
  return (
    <Dialog isOpen heading={`Remove ${nameOf(app)}?`} onClose={onClose}>
      <p>You signed in without a second factor. Enter a code from your app to remove it.</p>
      <FormBody action="Remove" beside={<Button onClick={onClose}>Keep it</Button>} {...form}>
        {apps.length > 1 && (
          <Select
            label="App"
            value={shownBy}
            options={apps.map((one) => ({ value: one.id, label: nameOf(one) }))}
            onChange={(event) => setShownBy(event.target.value)}
          />
        )}
        <Field label="Code" inputMode="numeric" autoComplete="one-time-code" autoFocus {...field('code')} />
      </FormBody>
    </Dialog>
  );
}

export function nameOf({ name }: AuthenticatorApp): string {
  return name || 'the authenticator app';
}
