/** Creates an API key: asks for a name and a lifetime, then shows the key this one time. */
import { useEffect, useRef, useState } from 'react';
import { API_KEY_LIVES, apiKeyNameSchema } from '#domain/account/api-key.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { Field, Select } from '../../../ui/forms/field.tsx';
import { FormBody } from '../../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../../ui/forms/use-form.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { SignInAgain } from '../two-factor/two-factor-failure.tsx';
import { makeApiKey } from './api-keys-api.ts';
import styles from './api-keys-panel.module.css';

export interface ApiKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: () => void;
}

export function ApiKeyDialog({ isOpen, onClose, onCreated }: ApiKeyDialogProps) {
  const [created, setCreated] = useState<string | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} heading={created === null ? 'Create an API key' : 'Your new API key'} onClose={close}>
      {created === null ? (
        <KeyForm
          onCancel={close}
          onCreated={(key) => {
            setCreated(key);
            onCreated();
          }}
        />
      ) : (
        <NewKey value={created} onSaved={close} />
      )}
    </Dialog>
  );
}

const NAME = ['name'] as const;
const LIVES = API_KEY_LIVES.map(({ days, label }) => ({ value: String(days), label }));
const daysOf = (life: string) => API_KEY_LIVES.find(({ days }) => String(days) === life)?.days ?? null;

function KeyForm({ onCreated, onCancel }: { onCreated: (key: string) => void; onCancel: () => void }) {
  const [life, setLife] = useState('90');
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const { field, ...form } = useForm({
    id: 'api-key',
    initial: { name: '' },
    names: NAME,
    validate: (values) => checkForm(apiKeyNameSchema, values, NAME),
    submit: async ({ name }) => {
      const key = await makeApiKey(name, daysOf(life));
      setNeedsSignIn(typeof key !== 'string' && key.needsSignIn);
      if (typeof key !== 'string') return key.message;
      onCreated(key);
      return null;
    },
  });
  return (
    <div className={styles.step}>
      <FormBody
        action="Create key"
        beside={
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        }
        {...form}
      >
        <Field label="Name" help="Where you will use it, such as ‘Notebook’." autoComplete="off" {...field('name')} />
        <Select label="Valid for" options={LIVES} value={life} onChange={({ target }) => setLife(target.value)} />
      </FormBody>
      {needsSignIn && <SignInAgain />}
    </div>
  );
}

function NewKey({ value, onSaved }: { value: string; onSaved: () => void }) {
  const savedButton = useRef<HTMLButtonElement>(null);
  // The clicked button was removed and took the focus with it. Closing the tab would lose the key.
  useEffect(() => {
    savedButton.current?.focus();
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <div className={styles.step}>
      <Notice tone="warning" title="We only show it once.">
        <p>
          Copy it now and store it where your program reads its secrets. Anyone with this key can read your saved
          predictions, but can’t change them.
        </p>
      </Notice>
      <p className={styles.key}>
        <code className="figures">{value}</code>
        <CopyButton text={value} what="API key" />
      </p>
      <p className="muted size-13 readable-width">
        Send it in the <code>Authorization: Bearer</code> header, never in a URL.
      </p>
      <div>
        <Button ref={savedButton} variant="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </div>
  );
}
