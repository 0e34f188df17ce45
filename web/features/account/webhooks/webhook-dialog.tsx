/** Adds or changes a webhook: its address and events. Shows a new secret this one time. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { webhookUrlSchema } from '#domain/webhooks/webhook-endpoint.ts';
import { WEBHOOK_EVENTS, type WebhookEventName } from '#domain/webhooks/webhook-event-names.ts';
import { EVENT_LABELS } from '#domain/webhooks/webhook-messages.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { Checkbox, Field } from '../../../ui/forms/field.tsx';
import { FormBody } from '../../../ui/forms/form-body.tsx';
import { checkForm, useForm } from '../../../ui/forms/use-form.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { SignInAgain } from '../two-factor/two-factor-failure.tsx';
import styles from './webhooks.module.css';
import { callWebhookAction, createWebhook, type Webhook } from './webhooks-api.ts';

export interface WebhookDialogProps {
  /** Null: closed. */
  shown: { webhook: Webhook | null } | null;
  onClose: () => void;
  /** @param secret of a new webhook; null after a change */
  onSaved: (secret: string | null) => void;
}

export function WebhookDialog({ shown, onClose, onSaved }: WebhookDialogProps) {
  const webhook = shown?.webhook ?? null;
  return (
    <Dialog
      isOpen={shown !== null}
      heading={webhook === null ? 'Add a webhook' : 'Change this webhook'}
      onClose={onClose}
    >
      {shown !== null && <WebhookForm webhook={webhook} onCancel={onClose} onSaved={onSaved} />}
    </Dialog>
  );
}

const NAMES = ['url'] as const;

interface WebhookFormProps {
  webhook: Webhook | null;
  onCancel: () => void;
  onSaved: (secret: string | null) => void;
}

function WebhookForm({ webhook, onCancel, onSaved }: WebhookFormProps) {
  const [events, setEvents] = useState<WebhookEventName[]>(() =>
    WEBHOOK_EVENTS.filter((event, i) => webhook?.events.includes(event) ?? i < 3),
  );
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const { field, ...form } = useForm({
    id: 'webhook',
    initial: { url: webhook?.url ?? '' },
    names: NAMES,
    validate: (values) => checkForm(webhookUrlSchema, values, NAMES),
    submit: async ({ url }) => {
      if (events.length === 0) return 'Choose at least one event.';
      const answer =
        webhook === null
          ? await createWebhook(url, events)
          : await callWebhookAction({ name: 'update-webhook', body: { id: webhook.id, url, events } });
      const problem = answer !== null && 'message' in answer ? answer : null;
      setNeedsSignIn(problem?.needsSignIn ?? false);
      if (problem !== null) return problem.message;
      onSaved(answer !== null && 'secret' in answer ? answer.secret : null);
      return null;
    },
  });
  const toggle = (event: WebhookEventName, isOn: boolean) =>
    setEvents(WEBHOOK_EVENTS.filter((one) => (one === event ? isOn : events.includes(one))));
  return (
    <div className={styles.step}>
      <FormBody
        action={webhook === null ? 'Add webhook' : 'Save'}
        beside={
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        }
        {...form}
      >
        <Field
          label="Address"
          type="url"
          help="A public https address of your program."
          placeholder="https://example.com/kat"
          autoComplete="off"
          {...field('url')}
        />
        <fieldset className={styles.events}>
          <legend className="size-13 weight-500">Send a request when</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              label={EVENT_LABELS[event]}
              help={event}
              checked={events.includes(event)}
              onChange={({ target }) => toggle(event, target.checked)}
            />
          ))}
        </fieldset>
      </FormBody>
      {needsSignIn && <SignInAgain />}
    </div>
  );
}

export interface SecretDialogProps {
  /** Null: closed. */
  shown: { secret: string; isRotated: boolean } | null;
  onClose: () => void;
}

export function SecretDialog({ shown, onClose }: SecretDialogProps) {
  const savedButton = useRef<HTMLButtonElement>(null);
  return (
    <Dialog isOpen={shown !== null} heading="Your signing secret" onClose={onClose} initialFocus={savedButton}>
      {shown !== null && <Secret {...shown} savedButton={savedButton} onSaved={onClose} />}
    </Dialog>
  );
}

interface SecretProps {
  secret: string;
  isRotated: boolean;
  savedButton: RefObject<HTMLButtonElement | null>;
  onSaved: () => void;
}

function Secret({ secret, isRotated, savedButton, onSaved }: SecretProps) {
  // Closing the tab would lose the secret.
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <div className={styles.step}>
      <Notice tone="warning" title="We only show it once.">
        <p>
          {isRotated
            ? 'Copy it now and give it to your program. For 24 hours we sign each request with both secrets.'
            : 'Copy it now. Your program needs it to check that a request comes from Kat.'}
        </p>
      </Notice>
      <p className={styles.secret}>
        <code className="figures">{secret}</code>
        <CopyButton text={secret} what="secret" />
      </p>
      <p className="muted size-13 readable-width">
        <a href="/docs/guides/webhooks">How to check the signature</a>
      </p>
      <div>
        <Button ref={savedButton} variant="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </div>
  );
}
