/**
 * Choosing one of a few: a combobox whose value is its text and whose list opens below it. Locked options stay
 * clickable, because the click is how one learns what would unlock them. Keys as in the ARIA practices.
 */
import { Check, ChevronDown, Lock } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './picker.module.css';
import { keyAction } from './picker-keys.ts';
import { useDismiss } from './use-dismiss.ts';

export interface PickerOption<Value extends string> {
  value: Value;
  label: string;
  /** Small text at the right end. */
  detail?: string;
  isLocked?: boolean;
  title?: string;
}

export interface PickerProps<Value extends string> {
  /** The accessible name: 'Model', 'Symbol'. */
  label: string;
  value: Value;
  options: readonly PickerOption<Value>[];
  onChange: (value: Value) => void;
  /** A locked option was chosen; `onChange` is not called for it. */
  onLocked?: (value: Value) => void;
  /** Stands before the value in the control. */
  icon?: ReactNode;
  /** The side of the control that the list keeps to. */
  align?: 'start' | 'end';
  isDisabled?: boolean;
  className?: string | undefined;
}

export function Picker<Value extends string>(props: PickerProps<Value>) {
  const { label, value, options, onChange, onLocked, icon, align = 'start', isDisabled = false, className } = props;
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const selected = options.findIndex((option) => option.value === value);
  useDismiss(root, isOpen, () => setOpen(false));

  const open = (index = Math.max(0, selected)) => {
    setActive(index);
    setOpen(true);
  };
  const choose = (index: number) => {
    const option = options[index];
    setOpen(false);
    if (!option) return;
    if (option.isLocked) onLocked?.(option.value);
    else if (option.value !== value) onChange(option.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event, { isOpen, active, labels: options.map((option) => option.label) });
    if (action === null) return;
    if (action.type !== 'leave') event.preventDefault();
    if (action.type === 'open') open(action.index);
    if (action.type === 'move') setActive(action.index);
    if (action.type === 'choose') choose(active);
    if (action.type === 'close' || action.type === 'leave') setOpen(false);
  };

  return (
    <div ref={root} className={classNames(styles.picker, className)}>
      <button
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        disabled={isDisabled}
        className={styles.trigger}
        onClick={() => (isOpen ? setOpen(false) : open())}
        onKeyDown={onKeyDown}
      >
        {icon}
        <span>{options[selected]?.label ?? value}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        hidden={!isOpen}
        className={classNames(styles.list, align === 'end' && styles.alignEnd)}
      >
        {isOpen &&
          options.map((option, index) => (
            <Option
              key={option.value}
              id={`${listId}-${index}`}
              option={option}
              isSelected={index === selected}
              isActive={index === active}
              onEnter={() => setActive(index)}
              onChoose={() => choose(index)}
            />
          ))}
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  option: PickerOption<string>;
  isSelected: boolean;
  isActive: boolean;
  onEnter: () => void;
  onChoose: () => void;
}

/** Focus stays on the combobox, which also has the keys; the pointer needs no focus of its own. */
function Option({ id, option, isSelected, isActive, onEnter, onChoose }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox owns the keys (aria-activedescendant)
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the combobox
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isSelected}
      title={option.title}
      className={classNames(styles.option, isActive && styles.active, option.isLocked && styles.locked)}
      onPointerMove={onEnter}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={styles.mark}>
        {option.isLocked ? (
          <Lock size={13} aria-hidden="true" />
        ) : isSelected ? (
          <Check size={15} aria-hidden="true" />
        ) : null}
      </span>
      <span>{option.label}</span>
      {option.detail && <span className={styles.detail}>{option.detail}</span>}
    </div>
  );
}
