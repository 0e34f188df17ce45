/** Adds an authenticator app: a name, the QR code to scan, the first code. An unfinished setup is removed. */
import { useEffect, useRef, useState } from 'react';
import { factorCodeSchema } from '#domain/account/credentials.ts';
import { appNameSchema } from '#domain/account/second-factor-messages.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { Field } from '../../../ui/forms/field.tsx';
import { FormBody } from '../../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../../ui/forms/use-form.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { type AppSetUp, abandonSetUp, beginSetUp, finishSetUp } from './two-factor-api.ts';
import { SignInAgain } from './two-factor-failure.tsx';
import styles from './two-factor-setup.module.css';
import { StepHeading } from './two-factor-step.tsx';

export interface TwoFactorSetUpProps {
  /** The account has no app yet: adding the first signs out devices that used only the password. */
  isFirst: boolean;
  suggestedName: string;
  /** The form is busy until this settles. */
  onDone: () => Promise<void>;
  onCancel: () => void;
}

export function TwoFactorSetUp({ isFirst, suggestedName, onDone, onCancel }: TwoFactorSetUpProps) {
  const [setUp, setSetUp] = useState<AppSetUp | null>(null);
  const unfinished = useRef<string | null>(null);
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
      if (unfinished.current !== null) void abandonSetUp(unfinished.current);
    };
  }, []);

  const onBegun = (begun: AppSetUp) => {
    // A user who left during the request does not return to this setup.
    if (isUnmounted.current) return void abandonSetUp(begun.id);
    unfinished.current = begun.id;
    setSetUp(begun);
  };
  const onProven = () => {
    unfinished.current = null;
    return onDone();
  };
  return setUp === null ? (
    <NameStep isFirst={isFirst} suggestedName={suggestedName} onBegun={onBegun} onCancel={onCancel} />
  ) : (
    <CodeStep setUp={setUp} onProven={onProven} onCancel={onCancel} />
  );
}

const NAME = ['name'] as const;

function NameStep(props: Pick<TwoFactorSetUpProps, 'isFirst' | 'suggestedName' | 'onCancel'> & { onBegun: OnBegun }) {
  const { isFirst, suggestedName, onBegun, onCancel } = props;
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const { field, ...form } = useForm({
    id: 'authenticator',
    initial: { name: suggestedName },
    names: NAME,
    validate: (values) => checkForm(appNameSchema, values, NAME),
    submit: async ({ name }) => {
      const begun = await beginSetUp(name);
      setNeedsSignIn('message' in begun && begun.needsSignIn);
      if ('message' in begun) return begun.message;
      onBegun(begun);
      return null;
    },
  });
  return (
    <div className="grid gap-4">
      <StepHeading>Set up an authenticator app</StepHeading>
      {isFirst && (
        <Notice>
          Once the app is set up, every other device that is signed in with your password alone is signed out.
        </Notice>
      )}
      <div className={styles.narrow}>
        <FormBody action="Continue" beside={<Cancel onCancel={onCancel} />} {...form}>
          <Field label="Name" help="To tell your apps apart, such as ‘Phone’." autoComplete="off" {...field('name')} />
        </FormBody>
        {needsSignIn && <SignInAgain />}
      </div>
    </div>
  );
}

type OnBegun = (begun: AppSetUp) => void;

const CODE = ['code'] as const;

function CodeStep({
  setUp,
  onProven,
  onCancel,
}: {
  setUp: AppSetUp;
  onProven: () => Promise<void>;
  onCancel: () => void;
}) {
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const { field, ...form } = useForm({
    id: 'authenticator',
    initial: { code: '' },
    names: CODE,
    validate: (values) => checkForm(factorCodeSchema, values, CODE),
    submit: async ({ code }) => {
      const problem = await finishSetUp(setUp.id, code);
      setNeedsSignIn(problem?.needsSignIn ?? false);
      if (problem === null) await onProven();
      return problem?.message ?? null;
    },
  });
  return (
    <div className="grid gap-4">
      <StepHeading>Scan this with your app</StepHeading>
      <div className={styles.scan}>
        <img src={setUp.qrCode} alt="QR code with the key below" width={208} height={208} className={styles.code} />
        <div className={styles.key}>
          <p>Can’t scan it? Enter this key in your app and choose ‘time-based’:</p>
          <p className={styles.secret}>
            <code className="figures">{setUp.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={setUp.secret} what="key" />
          </p>
          <p>
            <a href={setUp.uri}>Open it in an app on this device</a>
          </p>
          <p className="muted size-13">We won’t show it again. Keep it secret.</p>
        </div>
      </div>
      <div className={styles.narrow}>
        <FormBody action="Verify" beside={<Cancel onCancel={onCancel} />} {...form}>
          <Field
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            help="The 6 digits your app shows now."
            {...field('code')}
          />
        </FormBody>
        {needsSignIn && <SignInAgain />}
      </div>
    </div>
  );
}

function Cancel({ onCancel }: { onCancel: () => void }) {
  return (
    <Button variant="quiet" onClick={onCancel}>
      Cancel
    </Button>
  );
}
