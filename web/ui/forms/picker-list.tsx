/** The list of a `Picker` and its keys, loaded when the user is about to open one. Downshift handles keys and focus. */
import { type UseSelectGetToggleButtonPropsReturnValue, useSelect } from 'downshift';
import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from '../styles/class-names.ts';
import searchStyles from './list-search.module.css';
import { type ListSearch, SearchPopup, useSearchField } from './list-search.tsx';
import { OptionGroupFrame } from './option-groups.tsx';
import { isStarKey, type OptionStar, StarHint, StarMark } from './option-star.tsx';
import styles from './picker.module.css';

export interface PickerOption<Value extends string> {
  value: Value;
  label: string;
  /** Small text at the right end. */
  detail?: string;
  /** A line below the label that describes the option; it isn't part of its name. */
  line?: string;
  isLocked?: boolean;
  title?: string;
  star?: OptionStar;
  /** Above this option and those after it. */
  heading?: string;
}

/** What the list does for its button, which the picker draws. */
export type ButtonHandlers = Pick<UseSelectGetToggleButtonPropsReturnValue, 'onClick' | 'onKeyDown' | 'onBlur'>;

/** What a picker gives to its list. */
export interface ListFrame {
  id: string;
  label: string;
  isOpen: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  button: RefObject<HTMLButtonElement | null>;
  buttonId: string;
  handlers: RefObject<ButtonHandlers | null>;
  /** The highlighted option's id, for `aria-activedescendant`. */
  onActive: (id: string | undefined) => void;
  className: string;
}

export interface ListOptions {
  options: readonly PickerOption<string>[];
  selected: PickerOption<string> | null;
  onChoose: (option: PickerOption<string>) => void;
  search?: ListSearch;
}

export function PickerList(props: ListFrame & ListOptions) {
  const { id, label, options, selected, onChoose, isOpen, onExpandedChange, button, buttonId, handlers, onActive } =
    props;
  const { search } = props;
  const { input, type } = useSearchField({ search, isOpen, onExpandedChange, button });
  const { highlightedIndex, setHighlightedIndex, getToggleButtonProps, getMenuProps, getItemProps } = useSelect({
    toggleButtonId: buttonId,
    menuId: id,
    items: [...options],
    itemToString: (option) => option?.label ?? '',
    // Controlled: a locked option that was clicked does not stay selected.
    selectedItem: selected,
    isOpen,
    // Opened by a click that came before this code.
    ...(isOpen && selected !== null && { initialHighlightedIndex: options.indexOf(selected) }),
    onIsOpenChange: ({ isOpen: isNowOpen }) => onExpandedChange(isNowOpen),
    onSelectedItemChange: ({ selectedItem: option }) => {
      if (option !== null) onChoose(option);
    },
    stateReducer: (state, change) =>
      search !== undefined && IGNORED_BESIDE_FIELD.includes(change.type) ? state : change.changes,
  });
  const [announced, setAnnounced] = useState('');
  const active = options[highlightedIndex];
  const star = active?.star;
  const ofButton = getToggleButtonProps({
    'aria-label': label,
    onKeyDown(event: KeyboardEvent) {
      setAnnounced('');
      if (type(event)) return handled(event);
      if (!isOpen || event.key !== 'Enter' || (star === undefined && search === undefined)) return;
      // Enter alone would choose the option.
      handled(event);
      event.preventDefault();
      if (star !== undefined && isStarKey(event)) setAnnounced(star.toggle());
      else if (active !== undefined) choose(event, active);
    },
  });
  /** The library reports a choice after its render, and another event before that, such as a move, would undo it. */
  function choose(event: MouseEvent | KeyboardEvent, option: PickerOption<string>): void {
    handled(event);
    onExpandedChange(false);
    button.current?.focus({ preventScroll: true });
    if (option !== selected) onChoose(option);
  }

  const activeId = ofButton['aria-activedescendant'] || undefined;

  useLayoutEffect(() => {
    if (typeof ofButton.ref === 'function') ofButton.ref(button.current);
    handlers.current = ofButton;
    onActive(activeId);
  });
  const text = search?.text ?? '';
  const shownText = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a changed text moves the highlight
  useEffect(() => {
    if (!isOpen || text === shownText.current) return;
    shownText.current = text;
    setHighlightedIndex(text === '' && selected !== null ? options.indexOf(selected) : 0);
  }, [text, isOpen]);

  const placed = (option: PickerOption<string>) => {
    const index = options.indexOf(option);
    return {
      option,
      isActive: index === highlightedIndex,
      isSelected: option === selected,
      labelId: labelIdOf(option),
      onToggled: setAnnounced,
      item: getItemProps({
        item: option,
        index,
        onClick: (event: MouseEvent) => choose(event, option),
        ...(option.line && describedBy(labelIdOf(option))),
      }),
    };
  };
  const labelIdOf = ({ value }: PickerOption<string>) => `${buttonId}-${value}`;
  const headed = options.findIndex((option) => option.heading !== undefined);
  const heading = options[headed]?.heading;
  const first = heading === undefined ? options : options.slice(0, headed);
  const spoken = announced || (isOpen && search?.found);
  return (
    <>
      <SearchPopup
        search={search}
        input={input}
        listId={id}
        isOpen={isOpen}
        className={props.className}
        aria-activedescendant={activeId}
        onKeyDown={(event) => KEYS_OF_LIST.has(event.key) && ofButton.onKeyDown?.(event)}
      >
        <div
          {...getMenuProps({ 'aria-label': label })}
          hidden={!isOpen}
          className={search === undefined ? props.className : searchStyles.options}
        >
          {isOpen && first.map((option) => <Option key={option.value} {...placed(option)} />)}
          {isOpen && heading !== undefined && (
            <OptionGroupFrame heading={heading}>
              {options.slice(headed).map((option) => (
                <Option key={option.value} {...placed(option)} />
              ))}
            </OptionGroupFrame>
          )}
          {isOpen && star && <StarHint star={star} />}
        </div>
      </SearchPopup>
      {(spoken || search !== undefined) && (
        <p role="status" className="visually-hidden">
          {spoken}
        </p>
      )}
    </>
  );
}

interface OptionProps {
  option: PickerOption<string>;
  isActive: boolean;
  isSelected: boolean;
  labelId: string;
  onToggled: (change: string) => void;
  /** What the library gives to its element. */
  item: object;
}

function Option({ option, isActive, isSelected, labelId, onToggled, item }: OptionProps) {
  return (
    <div
      {...item}
      title={option.title}
      aria-keyshortcuts={option.star && 'Shift+Enter'}
      className={classNames(styles.option, isActive && styles.active, option.isLocked && styles.locked)}
    >
      <span className={styles.mark}>{markOf(option, isSelected)}</span>
      <span id={labelId}>{option.label}</span>
      {option.detail && <span className={styles.detail}>{option.detail}</span>}
      {option.star && <StarMark star={option.star} onToggled={onToggled} />}
      {option.line && (
        <span id={`${labelId}-line`} className={styles.line}>
          {option.line}
        </span>
      )}
    </div>
  );
}

const { MenuMouseLeave, ToggleButtonBlur } = useSelect.stateChangeTypes;
/** Changes that a list with a field ignores: its focus may move, and what is highlighted stays for Enter. */
const IGNORED_BESIDE_FIELD: readonly unknown[] = [MenuMouseLeave, ToggleButtonBlur];
/** The other keys edit the field's text. */
const KEYS_OF_LIST = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Enter']);

/** Keeps the library from acting on an event. */
function handled({ nativeEvent }: MouseEvent | KeyboardEvent): void {
  Object.assign(nativeEvent, { preventDownshiftDefault: true });
}

/** Named by its label only, so that people and tools find it by that name. */
function describedBy(labelId: string) {
  return { 'aria-labelledby': labelId, 'aria-describedby': `${labelId}-line` };
}

function markOf(option: PickerOption<string>, isSelected: boolean): ReactNode {
  if (option.isLocked) return <Lock size={13} aria-hidden="true" />;
  return isSelected ? <Check size={15} aria-hidden="true" /> : null;
}
