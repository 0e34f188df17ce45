/**
 * A text field with a list that narrows as the user types. The caller judges text that matches no option, and typed
 * text is never discarded. Downshift handles keys, focus and the list's accessible state.
 */
import { useCombobox } from 'downshift';
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { type ChangeEvent, type KeyboardEvent, type Ref, useMemo, useRef, useState } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './combobox.module.css';
import fieldStyles from './field.module.css';
import { FieldFrame } from './field.tsx';
import { narrowed, type OptionGroup, OptionGroupFrame, type SearchableOption } from './option-groups.tsx';

export interface ComboboxOption extends SearchableOption {
  /** The field's text once it is chosen. */
  value: string;
  label: string;
  /** Small text at the right end. */
  detail?: string;
}

export type ComboboxGroup = OptionGroup<ComboboxOption>;

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
  const input = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => narrowed(groups, isOpen && isNarrowed ? value : ''), [groups, isOpen, isNarrowed, value]);
  const options = shown.flatMap((group) => group.options);
  const optionOf = (text: string) => groups.flatMap((group) => group.options).find((one) => isSame(one.value, text));

  const { getInputProps, getMenuProps, getItemProps, highlightedIndex } = useCombobox({
    items: options,
    itemToString: textOf,
    itemToKey: textOf,
    inputValue: value,
    selectedItem: optionOf(value) ?? null,
    onSelectedItemChange: ({ selectedItem }) => onChange(textOf(selectedItem)),
    isOpen,
    onIsOpenChange({ isOpen: isNowOpen, type }) {
      setOpen(isNowOpen);
      if (isNowOpen) setNarrowed(type === useCombobox.stateChangeTypes.InputChange);
    },
    stateReducer(state, { type, changes }) {
      const types = useCombobox.stateChangeTypes;
      if (type === types.InputClick)
        return { ...changes, isOpen: true, ...(state.isOpen && { highlightedIndex: state.highlightedIndex }) };
      // Typed text stays: neither Escape nor leaving the field replaces it.
      if (type === types.InputKeyDownEscape || type === types.InputBlur)
        return { ...changes, selectedItem: state.selectedItem, inputValue: state.inputValue };
      // The pointer chooses by its click alone: passing over the list does not change what Enter would choose.
      if (type === types.ItemMouseMove || type === types.MenuMouseLeave) return state;
      // A list opened by an arrow key highlights what is chosen, or nothing.
      if (!state.isOpen && state.selectedItem === null && type !== types.InputChange)
        return { ...changes, highlightedIndex: -1 };
      if (type !== types.InputChange) return changes;
      const text = changes.inputValue ?? '';
      const isEmpty = text.trim() === '';
      // The list closes for an option typed in full and for an empty field: it would cover what is below.
      const isWanted = !isEmpty && optionOf(text) === undefined;
      return {
        ...changes,
        isOpen: isWanted,
        highlightedIndex: isEmpty || narrowed(groups, text).length === 0 ? -1 : 0,
      };
    },
  });

  /** An option typed in full, in any case, counts as chosen. */
  const type = (text: string) => {
    setNarrowed(true);
    onChange(optionOf(text)?.value ?? text);
  };

  /** On leaving, text that only one option matches selects that option. */
  const leave = () => {
    const fitting = isNarrowed && value.trim() !== '' ? narrowed(groups, value).flatMap((group) => group.options) : [];
    const [only, ...others] = fitting;
    if (only !== undefined && others.length === 0 && only.value !== value) onChange(only.value);
  };

  return (
    <FieldFrame labels={{ label, help, error }} id={undefined}>
      {(tied) => (
        <div className="relative">
          <input
            {...getInputProps({
              ref: (element: HTMLInputElement | null) => {
                input.current = element;
                if (typeof ref === 'function') ref(element);
                else if (ref) ref.current = element;
              },
              onChange: (event: ChangeEvent<HTMLInputElement>) => type(event.target.value),
              onKeyDown(event: KeyboardEvent) {
                // Without a highlighted option Enter sends the form; the other keys move the caret.
                const isOfField = event.key === 'Enter' ? highlightedIndex < 0 : CARET_KEYS.includes(event.key);
                if (isOfField) Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
              },
              onBlur: leave,
            })}
            {...tied}
            aria-labelledby={undefined}
            name={name}
            type="text"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={placeholder}
            className={classNames(fieldStyles.input, styles.input)}
          />
          {value === '' ? (
            <ChevronDown size={16} aria-hidden="true" className={styles.arrow} />
          ) : (
            <button
              type="button"
              aria-label={clearLabel}
              title={clearLabel}
              className={styles.clear}
              onClick={() => {
                onChange('');
                setOpen(false);
                input.current?.focus();
              }}
            >
              <X size={16} aria-hidden="true" />
            </button>
          )}
          <div
            {...getMenuProps({ 'aria-label': listLabel })}
            hidden={!isOpen || options.length === 0}
            className={styles.list}
          >
            {isOpen &&
              shown.map((group) => (
                <OptionGroupFrame key={group.heading} heading={group.heading}>
                  {group.options.map((option) => (
                    <div
                      key={option.value}
                      {...getItemProps({
                        item: option,
                        index: options.indexOf(option),
                        'aria-selected': option.value === value,
                      })}
                      className={classNames(
                        styles.option,
                        options.indexOf(option) === highlightedIndex && styles.active,
                      )}
                    >
                      <span>{option.label}</span>
                      {option.detail && <span className={styles.detail}>{option.detail}</span>}
                    </div>
                  ))}
                </OptionGroupFrame>
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

const CARET_KEYS = ['Home', 'End', 'PageUp', 'PageDown'];

function textOf(option: ComboboxOption | null): string {
  return option?.value ?? '';
}

function isSame(option: string, text: string): boolean {
  return option.toLowerCase() === text.trim().toLowerCase();
}
