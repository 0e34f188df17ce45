/**
 * A text field with a list that narrows as the user types, for long lists. The field's text is its value: the caller
 * judges text that matches no option, and typed text is never discarded.
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, type Ref, useId, useMemo, useRef, useState } from 'react';
import { useDismiss } from '../overlay/use-dismiss.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './combobox.module.css';
import fieldStyles from './field.module.css';
import { FieldFrame } from './field.tsx';

export interface ComboboxOption {
  /** The field's text once it is chosen. */
  value: string;
  label: string;
  /** Small text at the right end. */
  detail?: string;
  /** Lower-case text that typing is matched with. */
  words: string;
}

export interface ComboboxGroup {
  heading: string;
  options: readonly ComboboxOption[];
}

export interface ComboboxProps {
  label: string;
  name?: string;
  value: string;
  groups: readonly ComboboxGroup[];
  onChange: (value: string) => void;
  /** Shown while the field is empty; says what empty means. */
  placeholder?: string;
  /** The accessible name of the list; it differs from the field's, so that each name is unique. */
  listLabel: string;
  /** The accessible name of the button that clears the field. */
  clearLabel: string;
  /** Shown if nothing matches. */
  noneFound: string;
  help?: string | undefined;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

export function Combobox(props: ComboboxProps) {
  const { label, name, value, groups, onChange, placeholder, listLabel, clearLabel, noneFound, help, error, ref } =
    props;
  const [isOpen, setOpen] = useState(false);
  /** Typing narrows the list; opening it on a chosen value shows all options. */
  const [isNarrowed, setNarrowed] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const shown = useMemo(() => narrowed(groups, isNarrowed ? value : ''), [groups, isNarrowed, value]);
  const options = shown.flatMap((group) => group.options);
  const idOf = (option: string) => `${listId}-${option.replaceAll(/[^\w-]/g, '-')}`;

  const open = () => {
    if (isOpen) return;
    setNarrowed(false);
    setActive(value === '' ? null : value);
    setOpen(true);
  };
  const close = () => setOpen(false);
  useDismiss(root, isOpen, close);

  const choose = (option: string) => {
    onChange(option);
    close();
    input.current?.focus();
  };

  const type = (text: string) => {
    setNarrowed(true);
    const [first] = narrowed(groups, text).flatMap((group) => group.options);
    setActive(text.trim() === '' ? null : (first?.value ?? null));
    // An option typed in full, in any case, counts as chosen.
    const meant = groups.flatMap((group) => group.options).find((one) => isSame(one.value, text));
    // Close the list then, and when the field is empty: it would cover what is below.
    setOpen(meant === undefined && text.trim() !== '');
    onChange(meant?.value ?? text);
  };

  /** On leaving, text that only one option matches selects that option. */
  const leave = () => {
    const [only, ...others] = isNarrowed && value.trim() !== '' ? options : [];
    if (only !== undefined && others.length === 0 && only.value !== value) onChange(only.value);
  };

  const move = (event: KeyboardEvent, step: 1 | -1) => {
    event.preventDefault();
    if (!isOpen) return open();
    const at = options.findIndex((option) => option.value === active);
    const next = at < 0 && step < 0 ? options.length - 1 : at + step;
    setActive(options[(next + options.length) % Math.max(1, options.length)]?.value ?? null);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(event, 1);
    else if (event.key === 'ArrowUp') move(event, -1);
    else if (event.key === 'Tab') close();
    else if (event.key === 'Enter' && isOpen && active !== null) {
      event.preventDefault();
      choose(active);
    }
  };

  return (
    <FieldFrame labels={{ label, help, error }} id={undefined}>
      {(tied) => (
        <div ref={root} className={styles.combobox}>
          <input
            {...tied}
            ref={(element) => {
              input.current = element;
              if (typeof ref === 'function') ref(element);
              else if (ref) ref.current = element;
            }}
            name={name}
            type="text"
            role="combobox"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-activedescendant={isOpen && active !== null && hasOption(options, active) ? idOf(active) : undefined}
            value={value}
            placeholder={placeholder}
            className={classNames(fieldStyles.input, styles.input)}
            onChange={(event) => type(event.target.value)}
            onClick={open}
            onKeyDown={onKeyDown}
            onBlur={leave}
          />
          {value === '' ? (
            <ChevronDown size={16} aria-hidden="true" className={styles.arrow} />
          ) : (
            <button
              type="button"
              aria-label={clearLabel}
              title={clearLabel}
              className={styles.clear}
              onClick={() => choose('')}
            >
              <X size={16} aria-hidden="true" />
            </button>
          )}
          <div
            id={listId}
            role="listbox"
            aria-label={listLabel}
            hidden={!isOpen || options.length === 0}
            className={styles.list}
          >
            {isOpen &&
              shown.map((group) => (
                <Group key={group.heading} group={group} value={value} active={active} idOf={idOf} onChoose={choose} />
              ))}
          </div>
          {isOpen && options.length === 0 && <p className={classNames(styles.list, styles.none)}>{noneFound}</p>}
          <span role="status" className="visually-hidden">
            {isOpen && isNarrowed && (options.length === 0 ? noneFound : `${options.length} found`)}
          </span>
        </div>
      )}
    </FieldFrame>
  );
}

interface GroupProps {
  group: ComboboxGroup;
  value: string;
  active: string | null;
  idOf: (option: string) => string;
  onChoose: (option: string) => void;
}

function Group({ group, value, active, idOf, onChoose }: GroupProps) {
  const headingId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset isn't allowed in a listbox
    <div role="group" aria-labelledby={headingId}>
      <p id={headingId} className={styles.heading}>
        {group.heading}
      </p>
      {group.options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which has the focus
        // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
        <div
          key={option.value}
          id={idOf(option.value)}
          ref={option.value === active ? keepInView : null}
          role="option"
          aria-selected={option.value === value}
          className={classNames(styles.option, option.value === active && styles.active)}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option.value)}
        >
          <span>{option.label}</span>
          {option.detail && <span className={styles.detail}>{option.detail}</span>}
        </div>
      ))}
    </div>
  );
}

function keepInView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

function isSame(option: string, text: string): boolean {
  return option.toLowerCase() === text.trim().toLowerCase();
}

function hasOption(options: readonly ComboboxOption[], value: string): boolean {
  return options.some((option) => option.value === value);
}

/** Keeps options that match every typed word; drops groups without any. */
function narrowed(groups: readonly ComboboxGroup[], typed: string): readonly ComboboxGroup[] {
  const words = typed
    .trim()
    .toLowerCase()
    .split(/[\s/_]+/)
    .filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map(({ heading, options }) => ({
      heading,
      options: options.filter((option) => words.every((word) => option.words.includes(word))),
    }))
    .filter(({ options }) => options.length > 0);
}
