/**
 * Orders rows of one height by their handles: drag with any pointer, or the arrow keys, Home and End. While a row is
 * dragged the others only make room for it: moving its element would end the drag.
 */
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface RowOrder {
  /** Of the row at this place, while a row is dragged. */
  rowProps(index: number): { style: CSSProperties | undefined; 'data-dragged': true | undefined };
  handleProps(index: number): {
    'data-handle': number;
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onKeyDown(event: KeyboardEvent): void;
  };
}

interface Drag {
  from: number;
  to: number;
  /** Pixels from the row's own place. */
  offset: number;
  /** Where it began: the pointer on the screen, and how far the list was scrolled. */
  start: { y: number; scroll: number; height: number };
}

/** How far the list scrolls for each move of a pointer beyond its edge, pixels. */
const SCROLL_STEP = 12;

/** @param list  the rows' parent, which scrolls */
export function useRowOrder(
  list: RefObject<HTMLElement | null>,
  count: number,
  onMove: (from: number, to: number) => void,
): RowOrder {
  const [drag, setDrag] = useState<Drag | null>(null);
  /** The place of the handle that had the focus before its row moved. */
  const focused = useRef<number | null>(null);
  useLayoutEffect(() => {
    const place = focused.current;
    focused.current = null;
    if (place !== null) list.current?.querySelector<HTMLElement>(`[data-handle="${place}"]`)?.focus();
  });

  const move = (from: number, to: number) => {
    if (to === from || to < 0 || to >= count) return;
    focused.current = to;
    onMove(from, to);
  };
  const offsetAt = ({ start }: Drag, y: number) => y - start.y + (list.current?.scrollTop ?? 0) - start.scroll;
  return {
    rowProps(index) {
      if (drag === null) return { style: undefined, 'data-dragged': undefined };
      const isDragged = index === drag.from;
      const shift = isDragged ? drag.offset : shiftOf(index, drag);
      return {
        style: { transform: `translateY(${shift}px)` },
        'data-dragged': isDragged || undefined,
      };
    },
    handleProps: (index) => ({
      'data-handle': index,
      onPointerDown(event) {
        const row = event.currentTarget.closest('li');
        if (event.button !== 0 || row === null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const start = { y: event.clientY, scroll: list.current?.scrollTop ?? 0, height: row.offsetHeight };
        setDrag({ from: index, to: index, offset: 0, start });
      },
      onPointerMove({ clientY }) {
        if (drag === null || list.current === null) return;
        const { top, bottom } = list.current.getBoundingClientRect();
        if (clientY < top) list.current.scrollTop -= SCROLL_STEP;
        else if (clientY > bottom) list.current.scrollTop += SCROLL_STEP;
        const offset = offsetAt(drag, clientY);
        const to = drag.from + Math.round(offset / drag.start.height);
        setDrag({ ...drag, offset, to: Math.max(0, Math.min(count - 1, to)) });
      },
      onPointerUp() {
        if (drag !== null) move(drag.from, drag.to);
        setDrag(null);
      },
      onPointerCancel: () => setDrag(null),
      onKeyDown(event) {
        if (event.key === 'Escape' && drag !== null) {
          // It ends the drag alone, not the dialog around it.
          event.stopPropagation();
          event.preventDefault();
          return setDrag(null);
        }
        const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
        if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        // Otherwise the page would scroll.
        event.preventDefault();
        move(index, to);
      },
    }),
  };
}

function shiftOf(index: number, { from, to, start }: Drag): number {
  if (index > from && index <= to) return -start.height;
  return index < from && index >= to ? start.height : 0;
}
