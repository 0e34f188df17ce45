/** Lines over the chart that a pointer, a finger or the keyboard moves. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { createPortal } from 'react-dom';
import { formatPrice } from '#domain/format/price.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { AxisTag, PriceScale } from '../../../charts/overlays/price-scale.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import { spokenLine } from './chance-text.ts';
import styles from './chart-lines.module.css';
import { type LineId, priceAfterKey, toTick } from './price-line.ts';

export interface ChartLine {
  id: LineId;
  name: string;
  price: number;
  /** The answer in short: 'touched 44%'. */
  note: string | null;
}

export interface ChartLinesProps {
  lines: readonly ChartLine[];
  /** The chart's frame, which they lie over. */
  frame: HTMLElement;
  scale: PriceScale;
  symbol: MarketSymbol;
  /** The current price; null while unknown. */
  price: number | null;
  onMove: (id: LineId, price: number) => void;
}

export function ChartLines({ lines, frame, scale, symbol, price, onMove }: ChartLinesProps) {
  const rootRef = useRef<HTMLDivElement>(null);
  const place = useCallback(() => placeLines(rootRef.current, frame, scale), [frame, scale]);
  useEffect(() => {
    const observer = new ResizeObserver(place);
    observer.observe(frame);
    const stop = scale.listen(place);
    return () => {
      observer.disconnect();
      stop();
      scale.showTags([]);
    };
  }, [frame, scale, place]);
  // After each render: a line may have moved.
  useLayoutEffect(place);
  return createPortal(
    <div ref={rootRef} className={styles.pane}>
      {lines.map((line) => (
        <Line key={line.id} line={line} paneRef={rootRef} scale={scale} symbol={symbol} price={price} onMove={onMove} />
      ))}
    </div>,
    frame,
  );
}

/** Lays the lines over the chart's pane, each at its price; one that is out of view stays at the edge. */
function placeLines(root: HTMLElement | null, frame: HTMLElement, scale: PriceScale): void {
  const pane = scale.pane();
  if (root === null || pane === null) {
    root?.toggleAttribute('data-waiting', true);
    return;
  }
  const [outer, inner] = [frame.getBoundingClientRect(), pane.element.getBoundingClientRect()];
  root.toggleAttribute('data-waiting', false);
  root.style.left = `${inner.left - outer.left}px`;
  root.style.top = `${inner.top - outer.top}px`;
  root.style.width = `${inner.width}px`;
  root.style.height = `${pane.height}px`;
  root.style.setProperty('--axis', `${inner.width - pane.width}px`);
  const lines = [...root.children].filter((line) => line instanceof HTMLElement);
  scale.showTags(lines.map(tagOf));
  for (const line of lines) {
    const y = scale.yOf(Number(line.dataset.price)) ?? Number.NaN;
    const shown = Math.min(pane.height, Math.max(0, y));
    line.style.transform = `translateY(${shown.toFixed(1)}px)`;
    line.dataset.beyond = y < 0 ? 'above' : y > pane.height ? 'below' : '';
    // Its label lies over the line, but under it near the top.
    line.toggleAttribute('data-under', shown < LABEL_PX);
  }
}

const LABEL_PX = 30;

function tagOf(line: HTMLElement): AxisTag {
  const style = getComputedStyle(line);
  const { price, text = '' } = line.dataset;
  return { price: Number(price), text, colour: style.color, textColour: style.getPropertyValue('--ground') };
}

interface LineProps extends Pick<ChartLinesProps, 'scale' | 'symbol' | 'price' | 'onMove'> {
  line: ChartLine;
  paneRef: RefObject<HTMLDivElement | null>;
}

function Line({ line, paneRef, scale, symbol, price, onMove }: LineProps) {
  const { id, name, note } = line;
  /** Distance of the pointer from the line while it drags; null at rest. */
  const grabbed = useRef<number | null>(null);
  const paneTop = () => paneRef.current?.getBoundingClientRect().top ?? 0;

  function grab(event: PointerEvent<HTMLDivElement>): void {
    const y = scale.yOf(line.price);
    if (y === null || event.button !== 0) return;
    const height = scale.pane()?.height ?? 0;
    grabbed.current = event.clientY - paneTop() - Math.min(height, Math.max(0, y));
    event.currentTarget.setPointerCapture(event.pointerId);
    // Neither selects text nor scrolls; the label takes the focus, for the keys.
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>('[role="slider"]')?.focus({ preventScroll: true });
  }

  function drag(event: PointerEvent<HTMLDivElement>): void {
    if (grabbed.current === null) return;
    const height = scale.pane()?.height ?? 0;
    const y = Math.min(height, Math.max(0, event.clientY - paneTop() - grabbed.current));
    const moved = scale.priceAt(y);
    if (moved !== null && moved > 0) onMove(id, toTick(moved, symbol));
  }

  function drop(): void {
    grabbed.current = null;
  }

  function press(event: KeyboardEvent): void {
    const next = priceAfterKey(event, line.price, symbol);
    if (next === null) return;
    event.preventDefault();
    onMove(id, next);
  }

  return (
    <div
      className={classNames(styles.line, styles[id])}
      data-line={id}
      data-price={line.price}
      data-text={formatPrice(line.price, symbol.decimals)}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
    >
      <div
        role="slider"
        tabIndex={0}
        className={styles.label}
        aria-label={`${name} on the chart`}
        aria-orientation="vertical"
        aria-valuemin={Math.min(line.price, (price ?? line.price) / 2)}
        aria-valuemax={Math.max(line.price, (price ?? line.price) * 2)}
        aria-valuenow={line.price}
        aria-valuetext={spokenLine(line.price, price, symbol.decimals)}
        onKeyDown={press}
      >
        <Grip />
        <span className="weight-500">{name}</span>
        {note !== null && <span className={styles.note}>{note}</span>}
      </div>
    </div>
  );
}

/** Two arrows: it moves up and down. */
function Grip() {
  return (
    <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true" className={styles.grip}>
      <path d="M1 5L4 2L7 5M1 9L4 12L7 9" />
    </svg>
  );
}
