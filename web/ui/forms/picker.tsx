/**
 * Locked options stay clickable, because the click explains what would unlock them. The list's code loads when the user
 * is about to open it, and then repeats what was clicked or typed before it arrived.
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '../overlay/toast.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './picker.module.css';
import type { ButtonHandlers, PickerList, PickerOption } from './picker-list.tsx';

interface PickerProps<Value extends string> {
  /** The accessible name: 'Model', 'Symbol'. */
  label: string;
  value: Value;
  options: readonly PickerOption<Value>[];
  onChange: (value: Value) => void;
  /** A locked option was chosen; `onChange` is not called for it. */
  onLocked?: (value: Value) => void;
  icon?: ReactNode;
  /** The side of the control that the list aligns with. */
  align?: 'start' | 'end';
  isDisabled?: boolean;
  /** Called when the list opens, for example to fetch its lines. */
  onOpen?: () => void;
  /** State of a caller that outlives this list, where another list may replace it while it is open. */
  openness?: Openness;
  className?: string | undefined;
}

export interface Openness {
  /** The user opened it and has not closed it. A disabled list opens once it is enabled. */
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
}

export function Picker<Value extends string>(props: PickerProps<Value>) {
  const {
    label,
    value,
    options,
    onChange,
    onLocked,
    icon,
    align = 'start',
    isDisabled = false,
    className,
    onOpen,
  } = props;
  const [isOwnExpanded, setOwnExpanded] = useState(false);
  const { isExpanded, onExpandedChange } = props.openness ?? {
    isExpanded: isOwnExpanded,
    onExpandedChange: setOwnExpanded,
  };
  const isOpen = isExpanded && !isDisabled;
  const button = useRef<HTMLButtonElement>(null);
  const handlers = useRef<ButtonHandlers>(null);
  /** Clicks and keys that wait for the list's code. */
  const waiting = useRef<((list: ButtonHandlers) => void)[]>([]);
  const isLoading = useRef(false);
  const [List, setList] = useState(() => loadedList);
  const [activeId, setActiveId] = useState<string>();
  const selected = options.find((option) => option.value === value) ?? null;
  const id = useId();
  const buttonId = `${id}-toggle`;
  const listId = `${id}-menu`;

  const load = () => {
    if (List !== null || isLoading.current) return;
    isLoading.current = true;
    loadPickerList().then(
      (code) => {
        flushSync(() => setList(() => code));
        if (handlers.current !== null) waiting.current.shift()?.(handlers.current);
      },
      () => {
        isLoading.current = false;
        const isWanted = isExpanded || waiting.current.splice(0).length > 0;
        onExpandedChange(false);
        if (isWanted) toast.error('We couldn’t load this list. Check your connection and reload the page.');
      },
    );
  };
  const act = (action: (list: ButtonHandlers) => void) => {
    if (List !== null && handlers.current !== null) return action(handlers.current);
    waiting.current.push(action);
    load();
  };
  const type = (event: KeyboardEvent) => {
    if (List === null) {
      if (event.key === 'Escape' || event.key === 'Tab') waiting.current = [];
      // Enter and Space would also click the button, and arrows would scroll the page.
      if (OPENING_KEYS.includes(event.key)) event.preventDefault();
      else if (event.key.length > 1) return;
    }
    act((list) => list.onKeyDown?.(event));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on hydration
  useEffect(() => {
    if (takePress(buttonId)) onExpandedChange(true);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it opens, by any cause
  useEffect(() => {
    if (!isOpen) return;
    load();
    onOpen?.();
    // If its own button did not open it, the keys would have no target.
    button.current?.focus({ preventScroll: true });
  }, [isOpen]);
  // The first key opened the list; the others act in it.
  useEffect(() => {
    const list = handlers.current;
    if (isOpen && List !== null && list !== null) for (const repeat of waiting.current.splice(0)) repeat(list);
  }, [isOpen, List]);

  const hasLines = options.some(({ line }) => line !== undefined);
  const listClass = classNames(styles.list, align === 'end' && styles.alignEnd, hasLines && styles.withLines);
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
        disabled={isDisabled}
        onPointerEnter={load}
        onFocus={load}
        onClick={(event) => {
          // After hydration the button handles its own clicks.
          takePress(buttonId);
          act((list) => list.onClick?.(event));
        }}
        onKeyDown={type}
        onBlur={(event) => {
          waiting.current = [];
          handlers.current?.onBlur?.(event);
        }}
        className={styles.trigger}
      >
        {icon}
        <span>{selected?.label ?? value}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      {List === null ? (
        <div id={listId} role="listbox" aria-label={label} tabIndex={-1} hidden className={listClass} />
      ) : (
        <List
          id={listId}
          label={label}
          options={options}
          selected={selected}
          onChoose={(option) => (option.isLocked ? onLocked?.(option.value) : onChange(option.value))}
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

const OPENING_KEYS = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter', ' '];

let loadedList: typeof PickerList | null = null;

/** Loads the lists' code, which all pickers share. Tests load it first, so that a click opens a list immediately. */
export async function loadPickerList(): Promise<typeof PickerList> {
  loadedList ??= (await import('./picker-list.tsx')).PickerList;
  return loadedList;
}

/** True once for the list that was clicked too early. */
function takePress(id: string): boolean {
  const { dataset } = document.documentElement;
  if (dataset.pressed !== id) return false;
  delete dataset.pressed;
  return true;
}
