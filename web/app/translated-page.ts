/**
 * A page that the browser translated before its code arrived does not match that code. React draws it again, and the
 * control that a user has just pressed is then another element.
 */

/** Wraps translated texts. */
const WRAPPER = 'FONT';

export interface FollowedPresses {
  /** To be called when React has drawn the page again: presses the successor of what was pressed. */
  pressAgain(): void;
}

export function followPresses(root: HTMLElement): FollowedPresses {
  let place = window.pressed ? placeOf(window.pressed, root) : null;
  // After the listener of web/begin.js, which notes the pressed control.
  const note = (): void => {
    place = window.pressed ? placeOf(window.pressed, root) : null;
  };
  document.addEventListener('click', note, true);
  return {
    pressAgain() {
      document.removeEventListener('click', note, true);
      const { pressed } = window;
      if (!pressed || pressed.isConnected || place === null) return;
      window.pressed = null;
      const successor = elementAt(root, place);
      if (successor?.tagName === pressed.tagName) successor.click();
    },
  };
}

const ownChildren = (element: Element): Element[] => [...element.children].filter(({ tagName }) => tagName !== WRAPPER);

/** @returns the element's index among its siblings, and its ancestors' before it; null if it is not in the root */
function placeOf(element: Element, root: Element): number[] | null {
  if (element === root) return [];
  const { parentElement: parent } = element;
  const above = parent && placeOf(parent, root);
  return parent && above && [...above, ownChildren(parent).indexOf(element)];
}

function elementAt(root: Element, place: readonly number[]): HTMLElement | null {
  const found = place.reduce<Element | undefined>((parent, i) => parent && ownChildren(parent)[i], root);
  return found instanceof HTMLElement ? found : null;
}
