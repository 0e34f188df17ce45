import { Fragment, useState } from 'react';
import { isHelpKeyOn, switchHelpKey } from '../../ui/browser/help-key.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Key, MAIN_KEY } from './keys.tsx';
import styles from './shortcuts-dialog.module.css';

interface Shortcut {
  /** Each is one combination of keys, pressed together. */
  keys: readonly (readonly string[])[];
  effect: string;
}

const SECTIONS: readonly { heading: string; shortcuts: readonly Shortcut[] }[] = [
  {
    heading: 'Anywhere',
    shortcuts: [
      { keys: [[MAIN_KEY, 'K']], effect: 'Search pages, symbols and commands' },
      { keys: [['?']], effect: 'Show this list' },
      { keys: [['Esc']], effect: 'Close a dialog, menu or list' },
    ],
  },
  {
    heading: 'Charts',
    shortcuts: [
      { keys: [['←'], ['→']], effect: 'Read the previous or next value' },
      { keys: [['Home'], ['End']], effect: 'Read the first or last value' },
    ],
  },
  {
    heading: 'Menus, lists and tabs',
    shortcuts: [
      { keys: [['↑'], ['↓']], effect: 'Move through a list' },
      { keys: [['←'], ['→']], effect: 'Move along tabs' },
      { keys: [['Enter']], effect: 'Choose' },
    ],
  },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(isHelpKeyOn);
  return (
    <Dialog isOpen heading="Keyboard shortcuts" onClose={onClose}>
      {SECTIONS.map(({ heading, shortcuts }) => (
        <section key={heading}>
          <h3 className={styles.heading}>{heading}</h3>
          <dl className={styles.shortcuts}>
            {shortcuts.map(({ keys, effect }) => (
              <div key={effect} className={styles.shortcut}>
                <dt>{effect}</dt>
                <dd className={styles.keys}>
                  {keys.map((combination, i) => (
                    <Fragment key={combination.join(' ')}>
                      {i > 0 && <span className="muted size-12"> or </span>}
                      {combination.map((key) => (
                        <Key key={key}>{key}</Key>
                      ))}
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="muted size-13">While you type in a field, these keys write text as usual.</p>
      <Switch
        label="Open this list with the ? key"
        isOn={isOn}
        onToggle={() => {
          switchHelpKey(!isOn);
          setOn(!isOn);
        }}
      />
    </Dialog>
  );
}
