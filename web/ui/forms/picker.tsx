/**
 * Locked options stay clickable, because the click explains what would unlock them. Downshift handles keys and focus.
 */
import { useSelect } from 'downshift';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Lock from 'lucide-react/icons/lock';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './picker.module.css';

interface PickerOption<Value extends string> {
  value: Value;
  label: string;
  /** Small text at the right end. */
  detail?: string;
  /** A line below the label that describes the option; it isn't part of its name. */
  line?: string;
  isLocked?: boolean;
  title?: string;
}

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
  const toggle = useRef<HTMLButtonElement>(null);
  const selected = options.find((option) => option.value === value) ?? null;
  const id = useId();
  const toggleId = `${id}-toggle`;
  const { highlightedIndex, getToggleButtonProps, getMenuProps, getItemProps } = useSelect({
    toggleButtonId: toggleId,
    items: [...options],
    itemToString: (option) => option?.label ?? '',
    // Controlled: a locked option that was clicked does not stay selected.
    selectedItem: selected,
    isOpen,
    onIsOpenChange: ({ isOpen: isNowOpen }) => onExpandedChange(isNowOpen),
    onSelectedItemChange: ({ selectedItem: option }) => {
      if (option === null) return;
      if (option.isLocked) onLocked?.(option.value);
      else onChange(option.value);
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on hydration
  useEffect(() => {
    if (takePress(toggleId)) onExpandedChange(true);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it opens, by any cause
  useEffect(() => {
    if (!isOpen) return;
    onOpen?.();
    // If its own button did not open it, the keys would have no target.
    toggle.current?.focus({ preventScroll: true });
  }, [isOpen]);

  const hasLines = options.some(({ line }) => line !== undefined);
  return (
    <div className={classNames(styles.picker, className)} data-keep-clear>
      <button
        type="button"
        {...getToggleButtonProps({
          'aria-label': label,
          disabled: isDisabled,
          ref: toggle,
          // After hydration the button handles its own clicks.
          onClick: () => takePress(toggleId),
        })}
        className={styles.trigger}
      >
        {icon}
        <span>{selected?.label ?? value}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div
        {...getMenuProps({ 'aria-label': label })}
        hidden={!isOpen}
        className={classNames(styles.list, align === 'end' && styles.alignEnd, hasLines && styles.withLines)}
      >
        {isOpen &&
          options.map((option, index) => (
            <div
              key={option.value}
              {...getItemProps({ item: option, index, ...(option.line && describedBy(`${id}-${option.value}`)) })}
              title={option.title}
              className={classNames(
                styles.option,
                index === highlightedIndex && styles.active,
                option.isLocked && styles.locked,
              )}
            >
              <span className={styles.mark}>{markOf(option, option === selected)}</span>
              <span id={`${id}-${option.value}`}>{option.label}</span>
              {option.detail && <span className={styles.detail}>{option.detail}</span>}
              {option.line && (
                <span id={`${id}-${option.value}-line`} className={styles.line}>
                  {option.line}
                </span>
              )}
            </div>
          ))}
      </div>
    </div>
  );
}

/** Named by its label only, so that people and tools find it by that name. */
function describedBy(labelId: string) {
  return { 'aria-labelledby': labelId, 'aria-describedby': `${labelId}-line` };
}

function markOf(option: PickerOption<string>, isSelected: boolean): ReactNode {
  if (option.isLocked) return <Lock size={13} aria-hidden="true" />;
  return isSelected ? <Check size={15} aria-hidden="true" /> : null;
}

/** True once for the list that was clicked too early. */
function takePress(id: string): boolean {
  const { dataset } = document.documentElement;
  if (dataset.pressed !== id) return false;
  delete dataset.pressed;
  return true;
}
