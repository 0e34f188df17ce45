/**
 * Choosing one of a few: a button named by its label that shows its value, and a menu of radio items below it. Locked
 * options stay clickable, because the click is how one learns what would unlock them. Focus, keys and placing are
 * Radix's. Not modal: a modal menu locks scrolling with a style element, which the content-security policy refuses.
 */
import { Check, ChevronDown, Lock } from 'lucide-react';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './picker.module.css';

export interface PickerOption<Value extends string> {
  value: Value;
  label: string;
  /** Small text at the right end. */
  detail?: string;
  isLocked?: boolean;
  title?: string;
}

export interface PickerProps<Value extends string> {
  /** The accessible name: 'Model', 'Symbol'. The value is the description. */
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
  const valueId = useId();
  const [isOpen, setOpen] = useState(false);
  const opensByTap = useRef(false);
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option?.isLocked) onLocked?.(option.value);
    else if (option && option.value !== value) onChange(option.value);
  };

  // Radix opens on the press, also on one that goes on to scroll the page: a finger opens by a whole tap instead.
  const press = (event: PointerEvent) => {
    opensByTap.current = event.pointerType === 'touch' && !isOpen;
    if (opensByTap.current) event.preventDefault();
  };

  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger
        aria-label={label}
        aria-describedby={valueId}
        disabled={isDisabled}
        className={classNames(styles.trigger, className)}
        onPointerDown={press}
        onClick={() => opensByTap.current && setOpen(true)}
      >
        {icon}
        <span id={valueId}>{options.find((option) => option.value === value)?.label ?? value}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={4} collisionPadding={8} className={styles.list}>
          <DropdownMenu.RadioGroup value={value} onValueChange={choose}>
            {options.map((option) => (
              <DropdownMenu.RadioItem
                key={option.value}
                value={option.value}
                title={option.title}
                textValue={option.label}
                className={classNames(styles.option, option.isLocked && styles.locked)}
              >
                <span className={styles.mark}>
                  {option.isLocked ? (
                    <Lock size={13} aria-hidden="true" />
                  ) : (
                    <DropdownMenu.ItemIndicator className={styles.check}>
                      <Check size={15} aria-hidden="true" />
                    </DropdownMenu.ItemIndicator>
                  )}
                </span>
                <span>{option.label}</span>
                {option.detail && <span className={styles.detail}>{option.detail}</span>}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
