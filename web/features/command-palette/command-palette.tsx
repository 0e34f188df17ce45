/** One field that finds every page, symbol, model and action. Downshift handles keys, focus and the accessible state. */
import { useCombobox } from 'downshift';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type ChangeEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { OptionGroupFrame } from '../../ui/forms/option-groups.tsx';
import { isStarKey, type OptionStar, StarMark } from '../../ui/forms/option-star.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { CommandIcon } from './command-icon.tsx';
import styles from './command-palette.module.css';
import { type Command, foundCommands } from './commands.ts';
import { Key, MAIN_KEY } from './keys.tsx';
import { useCommands } from './use-commands.ts';
import { useFoundMarkets } from './use-found-markets.ts';
import { type SearchUsers, useFoundUsers } from './use-found-users.ts';

export interface CommandPaletteProps {
  onClose: () => void;
  /** Shows the list of keyboard shortcuts instead. */
  onKeys: () => void;
  /** Searches the products of all venues, and nothing else. */
  isMarkets?: boolean;
  /** For admins. */
  searchUsers: SearchUsers;
  /** Whether a symbol is on the watchlist; null until that is known. */
  starOf: ((symbol: NonNullable<Command['symbol']>) => OptionStar) | null;
}

export function CommandPalette({ onClose, onKeys, isMarkets = false, searchUsers, starOf }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const [starred, setStarred] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { groups, isAdmin, showPanel } = useCommands(onKeys);
  const users = useFoundUsers(typed, isAdmin && !isMarkets, searchUsers);
  const markets = useFoundMarkets(typed, isMarkets, showPanel);
  const shown = useMemo(() => {
    // Last, so that a late answer moves nothing that the user may be about to choose.
    const found = [...(isMarkets ? [] : foundCommands(groups, typed)), ...markets.groups];
    return users.commands.length === 0 ? found : [...found, { heading: 'Users', options: users.commands }];
  }, [groups, typed, users.commands, isMarkets, markets.groups]);
  const commands = shown.flatMap(({ options }) => options);

  const { getInputProps, getMenuProps, getItemProps, highlightedIndex } = useCombobox<Command>({
    items: commands,
    itemToString: (command) => command?.label ?? '',
    itemToKey: (command) => command?.id ?? '',
    inputValue: typed,
    selectedItem: null,
    isOpen: true,
    initialHighlightedIndex: 0,
    onSelectedItemChange({ selectedItem }) {
      if (selectedItem === null) return;
      // Closed first: the page gets the focus back, and keeps it if the command moves it.
      onClose();
      selectedItem.run();
    },
    stateReducer(state, { type, changes }) {
      const types = useCombobox.stateChangeTypes;
      // Leaving the field chooses nothing, and the highlighted command stays.
      if (type === types.InputBlur || type === types.MenuMouseLeave || type === types.InputKeyDownEscape) return state;
      return type === types.InputChange ? { ...changes, highlightedIndex: 0 } : changes;
    },
  });

  const starAt = (command: Command | undefined) => (command?.symbol && starOf?.(command.symbol)) ?? null;
  const star = starAt(commands[highlightedIndex]);

  return (
    <Dialog
      isOpen
      isBare
      heading={isMarkets ? 'Search markets' : 'Search and commands'}
      onClose={onClose}
      initialFocus={input}
    >
      <div className={styles.field}>
        <Search size={18} aria-hidden="true" />
        <input
          {...getInputProps({
            ref: input,
            'aria-label': isMarkets ? 'Search markets' : 'Search pages and commands',
            onChange(event: ChangeEvent<HTMLInputElement>) {
              setTyped(event.target.value);
              setStarred('');
            },
            onKeyDown(event: KeyboardEvent) {
              const isStarred = star !== null && isStarKey(event);
              if (isStarred) {
                event.preventDefault();
                setStarred(star.toggle());
              }
              // Escape is the dialog's; the other two move the caret.
              if (isStarred || ['Escape', 'Home', 'End'].includes(event.key))
                Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
            },
          })}
          aria-labelledby={undefined}
          type="text"
          placeholder={isMarkets ? 'Search by code or name…' : 'Search or run a command…'}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          className={styles.input}
        />
        <button type="button" className={styles.close} onClick={onClose} aria-label="Close">
          <span className={styles.byKey}>
            <Key>Esc</Key>
          </span>
          <X size={18} aria-hidden="true" className={styles.byTouch} />
        </button>
      </div>
      <div {...getMenuProps({ 'aria-label': isMarkets ? 'Markets' : 'Commands' })} className={styles.list}>
        {shown.map(({ heading, options }) => (
          <OptionGroupFrame key={heading} heading={heading}>
            {options.map((command) => {
              const index = commands.indexOf(command);
              return (
                <div
                  key={command.id}
                  {...getItemProps({ item: command, index, 'aria-selected': index === highlightedIndex })}
                  className={classNames(styles.option, index === highlightedIndex && styles.active)}
                >
                  <CommandIcon kind={command.kind} />
                  <span className="ellipsis">{command.label}</span>
                  {command.detail && <span className={styles.detail}>{command.detail}</span>}
                  <Star star={starAt(command)} onToggled={setStarred} />
                </div>
              );
            })}
          </OptionGroupFrame>
        ))}
      </div>
      {commands.length === 0 && !markets.isLoading && !(isMarkets && markets.hasFailed) && (
        <p className={styles.none}>{`Nothing matches “${typed.trim()}”.`}</p>
      )}
      {isMarkets && markets.isLoading && <p className={styles.none}>Loading markets…</p>}
      {isMarkets && markets.hasFailed && (
        <ReportedFailure className={styles.none}>
          We couldn’t load the markets. The markets in the picker still work.{' '}
          <Button size="small" onClick={markets.retry}>
            Try again
          </Button>
        </ReportedFailure>
      )}
      {users.hasFailed && <p className={styles.none}>We couldn’t search users. The other commands still work.</p>}
      <span role="status" className="visually-hidden">
        {starred ||
          (typed.trim() !== '' &&
            !markets.isLoading &&
            !(isMarkets && markets.hasFailed) &&
            (commands.length === 0 ? 'Nothing found' : `${commands.length} found`))}
      </span>
      <p className={classNames(styles.hints, styles.byKey)} aria-hidden="true">
        <span>
          <Key>↑</Key> <Key>↓</Key> to move
        </span>
        <span>
          <Key>Enter</Key> to choose
        </span>
        {star !== null && (
          <span>
            <Key>Shift</Key> <Key>Enter</Key> {star.isOn ? 'to stop watching' : 'to watch'}
          </span>
        )}
        <span className={styles.own}>
          <Key>{MAIN_KEY}</Key> <Key>K</Key> to open
        </span>
      </p>
    </Dialog>
  );
}

function Star({ star, onToggled }: { star: OptionStar | null; onToggled: (change: string) => void }) {
  return star && <StarMark star={star} onToggled={onToggled} />;
}
