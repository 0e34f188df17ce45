/** A change of the account's address: the request, and the confirmation by the codes of its emails. */
import { useRef, useState } from 'react';
import { ADDRESS_CHANGED } from '#domain/account/auth-messages.ts';
import { mailAddressSchema, mailCodeSchema } from '#domain/account/credentials.ts';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Field } from '../../../ui/forms/field.tsx';
import { FormBody } from '../../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../../ui/forms/use-form.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import { confirmEmailChange, requestEmailChange, type SignInMethods } from './sign-in-methods-api.ts';
import styles from './sign-in-methods-panel.module.css';

interface EmailChangeProps {
  methods: SignInMethods;
  onChanged: () => Promise<void>;
}

export function EmailChange({ methods, onChanged }: EmailChangeProps) {
  const { email, newEmail } = methods;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const block = useRef<HTMLElement>(null);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <section ref={block} tabIndex={-1} className={styles.change} aria-label="Email address">
      {newEmail === null && (
        <p className="muted size-13 readable-width">
          {email === null
            ? 'This account has no email address. Add one to sign in with it and to get emails.'
            : 'Change the address of your account here. We email you a link and a code to confirm it.'}
        </p>
      )}
      {newEmail !== null && (
        <PendingChange
          key={newEmail}
          methods={methods}
          newEmail={newEmail}
          onChanged={async () => {
            await onChanged();
            block.current?.focus();
          }}
        />
      )}
      {isOpen ? (
        <RequestForm
          email={email}
          onClose={close}
          onRequested={async () => {
            await onChanged();
            setOpen(false);
            block.current?.focus();
          }}
        />
      ) : (
        <div>
          <Button ref={opener} onClick={() => setOpen(true)}>
            {openerLabel(methods)}
          </Button>
        </div>
      )}
    </section>
  );
}

function openerLabel({ email, newEmail }: SignInMethods): string {
  if (newEmail !== null) return 'Use another address';
  return email === null ? 'Add an email address' : 'Change email address';
}

const EMAIL = ['email'] as const;

interface RequestFormProps {
  email: string | null;
  onRequested: () => Promise<void>;
  onClose: () => void;
}

function RequestForm({ email, onRequested, onClose }: RequestFormProps) {
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const { field, ...form } = useForm({
    id: 'change-address',
    initial: { email: '' },
    names: EMAIL,
    validate: (values) => {
      const checked = checkForm(mailAddressSchema, values, EMAIL);
      const isSame = 'form' in checked && checked.form.email.toLowerCase() === email?.toLowerCase();
      return isSame ? { messages: { email: 'This is your address already' } } : checked;
    },
    submit: async (wanted) => {
      const refused = await requestEmailChange(wanted.email);
      setProblem(refused);
      if (refused === null) await onRequested();
      return null;
    },
  });
  return (
    <div className={styles.form}>
      <FormBody
        action="Send confirmation"
        beside={
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        }
        {...form}
      >
        <Field label="New email address" type="email" autoComplete="email" autoFocus {...field('email')} />
        {problem !== null && <ProblemNotice problem={problem} />}
      </FormBody>
    </div>
  );
}

interface PendingChangeProps extends EmailChangeProps {
  newEmail: string;
}

/** The server does not report which of two addresses has agreed, so after a reload both forms are here again. */
function PendingChange({ methods: { email, isConfirmed }, newEmail, onChanged }: PendingChangeProps) {
  const [agreed, setAgreed] = useState<readonly string[]>([]);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const addresses = email !== null && isConfirmed ? [email, newEmail] : [newEmail];
  const waiting = addresses.filter((address) => !agreed.includes(address));

  const sendAgain = async () => {
    setSending(true);
    const refused = await requestEmailChange(newEmail);
    setProblem(refused);
    setSending(false);
    if (refused !== null) return;
    setAgreed([]);
    toast.success('Emails sent');
  };
  return (
    <>
      <p role="status">
        Your address becomes <strong className="break-anywhere">{newEmail}</strong> once you confirm it from{' '}
        {addresses.length === 2 ? 'both addresses' : 'there'}. Follow the link in{' '}
        {addresses.length === 2 ? 'each' : 'the'} email or enter its code here.
      </p>
      <div className={styles.form}>
        {agreed.map((address) => (
          <p key={address} className="size-13 break-anywhere">
            {`${address} has confirmed.`}
          </p>
        ))}
        {waiting.map((address) => (
          <CodeForm
            key={address}
            address={address}
            onAgreed={async (isChanged) => {
              setAgreed([...agreed, address]);
              if (!isChanged) return;
              toast.success(ADDRESS_CHANGED);
              await onChanged();
            }}
          />
        ))}
      </div>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div>
        <Button isBusy={isSending} onClick={() => void sendAgain()}>
          {`Send the ${addresses.length === 2 ? 'emails' : 'email'} again`}
        </Button>
      </div>
    </>
  );
}

const CODE = ['code'] as const;

interface CodeFormProps {
  address: string;
  onAgreed: (isChanged: boolean) => Promise<void>;
}

function CodeForm({ address, onAgreed }: CodeFormProps) {
  const { field, ...form } = useForm({
    id: `change-code-${address}`,
    initial: { code: '' },
    names: CODE,
    validate: (values) => checkForm(mailCodeSchema, values, CODE),
    submit: async ({ code }) => {
      const outcome = await confirmEmailChange(address, code);
      if (typeof outcome === 'object') return outcome.message;
      await onAgreed(outcome === 'changed');
      return null;
    },
  });
  return (
    <FormBody action="Confirm" name={`Confirm ${address}`} isInline {...form}>
      <Field label={`Code sent to ${address}`} inputMode="numeric" autoComplete="one-time-code" {...field('code')} />
    </FormBody>
  );
}
