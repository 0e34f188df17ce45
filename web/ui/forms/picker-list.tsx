/** The list of a `Picker` and its keys, loaded when the user is about to open one. Downshift handles keys and focus. */
import { type UseSelectGetToggleButtonPropsReturnValue, useSelect } from 'downshift';
import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { classNames } from '../styles/class-names.ts';
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
}

/** What the list does for its button, which the picker draws. */
export type ButtonHandlers = Pick<UseSelectGetToggleButtonPropsReturnValue, 'onClick' | 'onKeyDown' | 'onBlur'>;

interface PickerListProps<Value extends string> {
  id: string;
  label: string;
  options: readonly PickerOption<Value>[];
  selected: PickerOption<Value> | null;
  onChoose: (option: PickerOption<Value>) => void;
  isOpen: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  button: RefObject<HTMLButtonElement | null>;
  buttonId: string;
  handlers: RefObject<ButtonHandlers | null>;
  /** The highlighted option's id, for `aria-activedescendant`. */
  onActive: (id: string | undefined) => void;
  className: string;
}

export function PickerList<Value extends string>(props: PickerListProps<Value>) {
  const { id, label, options, selected, onChoose, isOpen, onExpandedChange, button, buttonId, handlers, onActive } =
    props;
  const { highlightedIndex, getToggleButtonProps, getMenuProps, getItemProps } = useSelect({
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
  });
  const [announced, setAnnounced] = useState('');
  const star = options[highlightedIndex]?.star;
  const ofButton = getToggleButtonProps({
    'aria-label': label,
    onKeyDown(event: KeyboardEvent) {
      if (!isOpen || star === undefined || !isStarKey(event)) return;
      // Enter alone would choose the option.
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
      event.preventDefault();
      setAnnounced(star.toggle());
    },
  });
  /** The library reports a choice after its render, and another event before that, such as a move, would undo it. */
  function choose({ nativeEvent }: MouseEvent, option: PickerOption<Value>): void {
    Object.assign(nativeEvent, { preventDownshiftDefault: true });
    onExpandedChange(false);
    button.current?.focus({ preventScroll: true });
    if (option !== selected) onChoose(option);
  }

  useLayoutEffect(() => {
    if (typeof ofButton.ref === 'function') ofButton.ref(button.current);
    handlers.current = ofButton;
    onActive(ofButton['aria-activedescendant'] || undefined);
  });

  return (
    <>
      <div {...getMenuProps({ 'aria-label': label })} hidden={!isOpen} className={props.className}>
        {isOpen &&
          options.map((option, index) => (
            <div
              key={option.value}
              {...getItemProps({
                item: option,
                index,
                onClick: (event: MouseEvent) => choose(event, option),
                ...(option.line && describedBy(`${buttonId}-${option.value}`)),
              })}
              title={option.title}
              aria-keyshortcuts={option.star && 'Shift+Enter'}
              className={classNames(
                styles.option,
                index === highlightedIndex && styles.active,
                option.isLocked && styles.locked,
              )}
            >
              <span className={styles.mark}>{markOf(option, option === selected)}</span>
              <span id={`${buttonId}-${option.value}`}>{option.label}</span>
              {option.detail && <span className={styles.detail}>{option.detail}</span>}
              {option.star && <StarMark star={option.star} onToggled={setAnnounced} />}
              {option.line && (
                <span id={`${buttonId}-${option.value}-line`} className={styles.line}>
                  {option.line}
                </span>
              )}
            </div>
          ))}
        {isOpen && star && <StarHint star={star} />}
      </div>
      {announced !== '' && (
        <p role="status" className="visually-hidden">
          {announced}
        </p>
      )}
    </>
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
