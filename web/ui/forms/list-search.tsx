/**
 * The field above the options of a list, which narrows them. The list's button keeps the focus until the user types or
 * taps the field, so that opening the list shows no keyboard on a phone.
 */
import Search from 'lucide-react/icons/search';
import { type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useDismiss } from '../overlay/use-dismiss.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './list-search.module.css';

/** The caller narrows the options by the text. */
export interface ListSearch {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** The number of options found, for screen readers; empty without a text. */
  found: string;
  /** Below the options: that more are loading, or why they are not. */
  note: ReactNode;
}

interface SearchedList {
  /** Absent: the list has no field. */
  search: ListSearch | undefined;
  isOpen: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  button: RefObject<HTMLButtonElement | null>;
}

export interface SearchField {
  input: RefObject<HTMLInputElement | null>;
  /** @returns true if the key was typed into the field */
  type(event: KeyboardEvent): boolean;
}

export function useSearchField({ search, isOpen, onExpandedChange, button }: SearchedList): SearchField {
  const input = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLElement>(null);
  const hasText = search !== undefined && search.text !== '';
  useEffect(() => {
    picker.current = button.current?.parentElement ?? null;
  }, [button]);
  useDismiss(picker, isOpen && search !== undefined, (reason) => {
    onExpandedChange(false);
    if (reason === 'escape') button.current?.focus({ preventScroll: true });
  });
  useEffect(() => {
    // What is typed on the button goes on in the field, with a caret.
    if (isOpen && hasText && document.activeElement === button.current) input.current?.focus();
  }, [isOpen, hasText, button]);
  return {
    input,
    type(event) {
      if (search === undefined || event.target === input.current || !isText(event)) return false;
      event.preventDefault();
      search.onText(search.text + event.key);
      onExpandedChange(true);
      return true;
    },
  };
}

/** A character, without keys of the browser. A space chooses the highlighted option, as it does without a field. */
function isText({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  // Some characters need AltGr, which Windows reports as Ctrl and Alt.
  return key.length === 1 && key !== ' ' && !metaKey && ctrlKey === altKey;
}

interface SearchPopupProps extends Pick<ComponentProps<'input'>, 'aria-activedescendant' | 'onKeyDown'> {
  search: ListSearch | undefined;
  input: RefObject<HTMLInputElement | null>;
  listId: string;
  isOpen: boolean;
  className: string;
  /** The list. */
  children: ReactNode;
}

/** The list below its field; the list alone without one. */
export function SearchPopup({ search, input, listId, isOpen, className, children, ...keys }: SearchPopupProps) {
  if (search === undefined) return children;
  return (
    <div hidden={!isOpen} className={classNames(className, styles.popup)}>
      <div className={styles.field}>
        <Search size={16} aria-hidden="true" />
        <input
          {...keys}
          ref={input}
          type="text"
          role="combobox"
          aria-label={search.label}
          aria-autocomplete="list"
          aria-expanded
          aria-controls={listId}
          placeholder={`${search.label}…`}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          value={search.text}
          onChange={(event) => search.onText(event.currentTarget.value)}
          className={styles.input}
        />
      </div>
      {children}
      {isOpen && search.note && <div className={styles.note}>{search.note}</div>}
    </div>
  );
}
