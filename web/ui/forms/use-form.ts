/** State of a short form: values, one message a field, focus on the first field that needs attention. */
import { type FormEvent, useRef, useState } from 'react';

export type Messages<Name extends string> = Partial<Record<Name, string>>;

interface FormOptions<Name extends string, Parsed> {
  /** Of the form among all of the site: password managers know fields again by `<id>-<name>`. */
  id: string;
  initial: Record<Name, string>;
  /** In the order of the page. */
  names: readonly Name[];
  validate: (values: Record<Name, string>) => Checked<Name, Parsed>;
  /** @returns what to tell the person above the button, or null when all is well */
  submit: (form: Parsed) => Promise<string | null>;
}

export type Checked<Name extends string, Parsed> = { form: Parsed } | { messages: Messages<Name> };

/** Values are kept whatever happens. A field is checked again as it is typed in, once it has been complained about. */
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
      const told = await submit(checked.form);
      setFailure(told);
      if (told !== null) keepFocus();
    } finally {
      setBusy(false);
    }
  };

  /** A disabled button loses the focus, now or with the next frame: keyboard users would start at the top again. */
  const keepFocus = () => {
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

/** Messages that were shown and still hold; new ones wait for the next submit. */
function stillWrong<Name extends string>(shown: Messages<Name>, checked: Checked<Name, unknown>): Messages<Name> {
  if (!('messages' in checked)) return {};
  const kept: Messages<Name> = {};
  for (const name in shown) {
    const message = checked.messages[name];
    if (message !== undefined) kept[name] = message;
  }
  return kept;
}
