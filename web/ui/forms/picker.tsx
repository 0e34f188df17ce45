/**
 * Locked options stay clickable, because the click explains what would unlock them. The list's code loads when the user
 * is about to open it: it is then open if its button was clicked, and gets the keys that were typed before it arrived.
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '../overlay/toast.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './picker.module.css';
import type { ButtonHandlers, ListFrame, ListOptions, PickerOption } from './picker-list.tsx';

interface PickerProps<Value extends string> extends Control {
  value: Value;
  options: readonly PickerOption<Value>[];
  onChange: (value: Value) => void;
  /** A locked option was chosen; `onChange` is not called for it. */
  onLocked?: (value: Value) => void;
}

interface Control {
  /** The accessible name: 'Model', 'Symbol'. */
  label: string;
  icon?: ReactNode;
  /** The side of the control that the list aligns with. */
  align?: 'start' | 'end';
  /** Called when the list opens, for example to fetch its lines. */
  onOpen?: () => void;
  /** State of a caller that opens the list itself, or later than it was clicked. */
  openness?: Openness;
  className?: string | undefined;
}

export interface Openness {
  /** The user opened it and has not closed it. */
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
}

export function Picker<Value extends string>({ value, options, onChange, onLocked, ...control }: PickerProps<Value>) {
  const selected = options.find((option) => option.value === value) ?? null;
  return (
    <ListPicker
      {...control}
      text={selected?.label ?? value}
      code={PICKER_LIST}
      own={{
        options,
        selected,
        onChoose: (option) => (option.isLocked ? onLocked?.(option.value as Value) : onChange(option.value as Value)),
      }}
      isWide={options.some(({ line }) => line !== undefined)}
    />
  );
}

interface ListPickerProps<Own> extends Control {
  /** What the button shows. */
  text: string;
  code: ListCode<ListFrame & Own>;
  /** The list's own properties. */
  own: Own;
  /** Wide enough for a line of text. */
  isWide: boolean;
}

/** A list's code, which loads once. */
export interface ListCode<Props> {
  List: ComponentType<Props> | null;
  /** Tests call it first, so that a click opens a list immediately. */
  load(): Promise<ComponentType<Props>>;
}

export function listCode<Props>(importList: () => Promise<ComponentType<Props>>): ListCode<Props> {
  const code: ListCode<Props> = {
    List: null,
    load: async () => {
      code.List ??= await importList();
      return code.List;
    },
  };
  return code;
}

export const PICKER_LIST = listCode<ListFrame & ListOptions>(
  async () => (await import('./picker-list.tsx')).PickerList,
);

/** A picker whose list is another one than that of plain options. */
export function ListPicker<Own>(props: ListPickerProps<Own>) {
  const { label, text, code, own, isWide, icon, align = 'start', className, onOpen } = props;
  const [isOwnExpanded, setOwnExpanded] = useState(false);
  const { isExpanded: isOpen, onExpandedChange } = props.openness ?? {
    isExpanded: isOwnExpanded,
    onExpandedChange: setOwnExpanded,
  };
  const button = useRef<HTMLButtonElement>(null);
  const handlers = useRef<ButtonHandlers>(null);
  /** Keys that wait for the list's code. The click or key that opens the list does not: it is open once it is there. */
  const waiting = useRef<KeyboardEvent[]>([]);
  const isLoading = useRef(false);
  const isWanted = useRef(isOpen);
  isWanted.current = isOpen;
  const [List, setList] = useState(() => code.List);
  const [activeId, setActiveId] = useState<string>();
  const id = useId();
  const buttonId = `${id}-toggle`;
  const listId = `${id}-menu`;

  const load = () => {
    if (List !== null || isLoading.current) return;
    isLoading.current = true;
    code.load().then(
      (loaded) => setList(() => loaded),
      () => {
        isLoading.current = false;
        waiting.current = [];
        onExpandedChange(false);
        if (isWanted.current) toast.error('We couldn’t load this list. Check your connection and reload the page.');
      },
    );
  };
  const close = () => {
    waiting.current = [];
    onExpandedChange(false);
  };
  const type = (event: KeyboardEvent) => {
    if (handlers.current !== null) return handlers.current.onKeyDown?.(event);
    if (event.key === 'Escape' || event.key === 'Tab') return close();
    // Enter and Space would also click the button, and arrows would scroll the page.
    if (OPENING_KEYS.includes(event.key)) event.preventDefault();
    else if (event.key.length > 1) return;
    if (isOpen || !ONLY_OPENING_KEYS.includes(event.key)) waiting.current.push(event);
    onExpandedChange(true);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it opens, by any cause
  useEffect(() => {
    if (!isOpen) return;
    load();
    onOpen?.();
    // If its own button did not open it, the keys would have no target.
    button.current?.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen || List === null) return;
    queueMicrotask(() => {
      // Each acts in the list as the one before it left it.
      for (const event of waiting.current.splice(0)) flushSync(() => handlers.current?.onKeyDown?.(event));
    });
  }, [isOpen, List]);

  const listClass = classNames(styles.list, align === 'end' && styles.alignEnd, isWide && styles.wide);
  return (
    <div className={classNames(styles.picker, className)} data-keep-clear>
      <button
        ref={button}
        id={buttonId}
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-controls={listId}
        aria-expanded={isOpen && List !== null}
        aria-activedescendant={isOpen ? activeId : undefined}
        tabIndex={0}
        onPointerEnter={load}
        onFocus={load}
        onClick={(event) => {
          if (handlers.current !== null) handlers.current.onClick?.(event);
          else onExpandedChange(!isOpen);
        }}
        onKeyDown={type}
        onBlur={(event) => {
          if (handlers.current === null) close();
          else handlers.current.onBlur?.(event);
        }}
        className={styles.trigger}
      >
        {icon}
        <span>{text}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      {List === null ? (
        <div id={listId} role="listbox" aria-label={label} tabIndex={-1} hidden className={listClass} />
      ) : (
        <List
          {...own}
          id={listId}
          label={label}
          isOpen={isOpen}
          onExpandedChange={onExpandedChange}
          button={button}
          buttonId={buttonId}
          handlers={handlers}
          onActive={setActiveId}
          className={listClass}
        />
      )}
    </div>
  );
}

const ONLY_OPENING_KEYS = ['ArrowDown', 'ArrowUp', 'Enter', ' '];
const OPENING_KEYS = [...ONLY_OPENING_KEYS, 'Home', 'End'];
