/** State of a short form: values, one message per field, focus on the first invalid field. */
import { type FormEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';

export type Messages<Name extends string> = Partial<Record<Name, string>>;

interface FormOptions<Name extends string, Parsed> {
  /** The form's id, unique on the site: password managers recognize fields by `<id>-<name>`. */
  id: string;
  initial: Record<Name, string>;
  names: readonly Name[];
  validate: (values: Record<Name, string>) => Checked<Name, Parsed>;
  /** @returns the failure to show above the button, or null on success */
  submit: (form: Parsed) => Promise<string | null>;
}

export type Checked<Name extends string, Parsed> = { form: Parsed } | { messages: Messages<Name> };

/** Values always stay. Once a field has shown a message, it is checked again with every change. */
export function useForm<Name extends string, Parsed>(options: FormOptions<Name, Parsed>) {
  const { id, initial, names, validate, submit } = options;
  const [values, setValues] = useState(initial);
  const [messages, setMessages] = useState<Messages<Name>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const inputs = useRef(new Map<Name, HTMLInputElement>());

  const change = (name: Name, value: string) => {
    const next = { ...values, [name]: value };
    setValues(next);
    if (Object.keys(messages).length > 0) setMessages(stillWrong(messages, validate(next)));
  };

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setFailure(null);
    const checked = validate(values);
    if ('messages' in checked) {
      setMessages(checked.messages);
      const first = names.find((name) => checked.messages[name] !== undefined);
      if (first !== undefined) inputs.current.get(first)?.focus();
      return;
    }
    setMessages({});
    setBusy(true);
    try {
      const message = await submit(checked.form);
      setFailure(message);
      if (message !== null) restoreFocus();
    } finally {
      setBusy(false);
    }
  };

  /** A disabled button loses the focus, now or in the next frame; keyboard users would start at the top again. */
  const restoreFocus = () => {
    const [first] = names;
    const focused = document.activeElement;
    const isLost = focused === document.body || focused?.matches(':disabled') === true;
    if (first !== undefined && isLost) inputs.current.get(first)?.focus();
  };

  const field = (name: Name) => ({
    id: `${id}-${name}`,
    name,
    value: values[name],
    error: messages[name],
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
    ref: (input: HTMLInputElement | null) => {
      if (input) inputs.current.set(name, input);
      else inputs.current.delete(name);
    },
  });

  return { field, failure, isBusy, onSubmit };
}

/** Shown messages that still apply; new ones wait for the next submit. */
export function stillWrong<Name extends string>(
  shown: Messages<Name>,
  checked: Checked<Name, unknown>,
): Messages<Name> {
  if (!('messages' in checked)) return {};
  const remaining: Messages<Name> = {};
  for (const name in shown) {
    const message = checked.messages[name];
    if (message !== undefined) remaining[name] = message;
  }
  return remaining;
}

export function checkForm<Name extends string, Parsed>(
  schema: z.ZodMiniType<Parsed>,
  values: Record<Name, string>,
  names: readonly Name[],
): Checked<Name, Parsed> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return { form: parsed.data };
  const messages: Messages<Name> = {};
  for (const issue of parsed.error.issues) {
    const name = names.find((candidate) => candidate === issue.path[0]);
    if (name !== undefined) messages[name] ??= issue.message;
  }
  return { messages };
}
