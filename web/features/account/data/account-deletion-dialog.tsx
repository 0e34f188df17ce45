/** The last step before an account is deleted: what goes, what stays, and the proof. */
import { useState } from 'react';
import * as z from 'zod/mini';
import { factorCodeSchema } from '#domain/account/credentials.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, Select } from '../../../ui/forms/field.tsx';
import { FormBody } from '../../../ui/forms/form-body.tsx';
import { type Checked, checkForm, useForm } from '../../../ui/forms/use-form.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { SignInAgain } from '../two-factor/two-factor-failure.tsx';
import { nameOf } from '../two-factor/two-factor-removal.tsx';
import styles from './account-deletion.module.css';
import { type DeletionProof, type DeletionTerms, deleteAccount } from './account-deletion-api.ts';

export interface AccountDeletionDialogProps {
  terms: DeletionTerms;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}

export function AccountDeletionDialog({ terms, onDeleted, onClose }: AccountDeletionDialogProps) {
  return (
    <Dialog isOpen heading="Delete your account for good" onClose={onClose}>
      <div className={styles.step}>
        <p>
          This deletes your profile and photo, saved predictions, alerts, API keys, activity and payment details on this
          site. Every device is signed out.
        </p>
        <p>
          Posts and votes stay without your name. The payment provider keeps its invoices, and older backups keep your
          data until they are deleted. The public record contains no personal data.
        </p>
        {terms.hasPlan && (
          <Notice tone="warning" title="Your plan ends immediately.">
            <p>We end it at the payment provider first. You won’t be charged again, and there is no refund.</p>
          </Notice>
        )}
        {terms.proof === 'sign-in' ? (
          <>
            <p>To confirm that it’s you, sign in again. Then delete your account within ten minutes.</p>
            <div className={styles.line}>
              <SignInAgain />
              <Button onClick={onClose}>Keep my account</Button>
            </div>
          </>
        ) : (
          <ProofForm terms={terms} onDeleted={onDeleted} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

const NAMES = ['password', 'code'] as const;
const passwordSchema = z.object({ password: z.string().check(z.minLength(1, 'Please enter your password')) });

function ProofForm({ terms, onDeleted, onClose }: AccountDeletionDialogProps) {
  const { proof, apps } = terms;
  const [shownBy, setShownBy] = useState(apps[0]?.id);
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const validate = (values: Record<(typeof NAMES)[number], string>): Checked<(typeof NAMES)[number], DeletionProof> => {
    if (proof === 'none') return { form: {} };
    return checkForm<(typeof NAMES)[number], DeletionProof>(
      proof === 'code' ? factorCodeSchema : passwordSchema,
      values,
      NAMES,
    );
  };
  const { field, ...form } = useForm({
    id: 'account-deletion',
    initial: { password: '', code: '' },
    names: NAMES,
    validate,
    submit: async (shown) => {
      const problem = await deleteAccount({ ...shown, factorId: shownBy });
      setNeedsSignIn(problem?.needsSignIn === true);
      if (problem === null) await onDeleted();
      return problem?.message ?? null;
    },
  });
  return (
    <>
      <FormBody
        isDestructive
        action="Delete my account"
        beside={<Button onClick={onClose}>Keep my account</Button>}
        {...form}
      >
        {proof === 'password' && (
          <Field
            label="Your password"
            type="password"
            autoComplete="current-password"
            autoFocus
            {...field('password')}
          />
        )}
        {proof === 'code' && apps.length > 1 && (
          <Select
            label="App"
            value={shownBy}
            options={apps.map((one) => ({ value: one.id, label: nameOf(one) }))}
            onChange={(event) => setShownBy(event.target.value)}
          />
        )}
        {proof === 'code' && (
          <Field
            label="Code from your app"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            {...field('code')}
          />
        )}
      </FormBody>
      {needsSignIn && <SignInAgain />}
    </>
  );
}
