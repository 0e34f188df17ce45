/**
 * A page that the browser translated before its code arrived does not match that code. React draws it again, and the
 * control that a user has just pressed is then another element.
 */

export interface FollowedPresses {
  /** To be called when React has drawn the page again: presses the successor of what was pressed. */
  pressAgain(): void;
}

export function followPresses(root: HTMLElement): FollowedPresses {
  let among = alike(window.pressed, root);
  // After the listener of web/begin.js, which notes the pressed control.
  const note = (): void => {
    among = alike(window.pressed, root);
  };
  document.addEventListener('click', note, true);
  return {
    pressAgain() {
      document.removeEventListener('click', note, true);
      const { pressed } = window;
      if (!pressed || pressed.isConnected) return;
      window.pressed = null;
      const now = alike(pressed, root);
      // Rather none than a wrong one.
      if (now.length === among.length) now[among.indexOf(pressed)]?.click();
    },
  };
}

/** Not by their texts, which are translated, nor by what encloses them or their state, which differ on phones. */
function alike(control: HTMLElement | null | undefined, root: HTMLElement): HTMLElement[] {
  if (!control) return [];
  const all = [...root.querySelectorAll<HTMLElement>(control.tagName)];
  return all.filter(
    (one) =>
      one.classList[0] === control.classList[0] &&
      ATTRIBUTES.every((name) => one.getAttribute(name) === control.getAttribute(name)),
  );
}

const ATTRIBUTES = ['role', 'aria-label', 'name', 'value'];
