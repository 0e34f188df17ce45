/** A widget's code loads after the first paint; its place is reserved meanwhile, and its errors affect only itself. */
import {
  Component,
  type ComponentType,
  createContext,
  createElement,
  type ErrorInfo,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
  useRef,
  useState,
} from 'react';
import { reloadPage, servedVersion } from './browser/served-version.ts';
import { type Arrival, useIsDue } from './browser/when-due.ts';
import { Button } from './forms/button.tsx';
import { Panel } from './layout/panel.tsx';
import { Skeleton } from './status/loader.tsx';
import { ErrorState } from './status/state.tsx';
import { classNames } from './styles/class-names.ts';
import styles from './widget.module.css';

export interface WidgetOptions {
  /** When its code loads; by default as soon as the page has time for it. */
  arrival?: Arrival;
  /** The page draws the heading itself, so a placeholder or a failure needs none. */
  isHeaded?: boolean;
  /** Shown until its code has loaded, as high as the widget itself; a grey shape by default. */
  frame?: ReactNode;
}

/** @param name  the heading, shown if it fails  @param place  class of its place */
export function lazyWidget<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  place: string | undefined,
  { arrival = 'soon', isHeaded = false, frame }: WidgetOptions = {},
): ComponentType<Props> {
  const Part = lazyPart(load);
  return function LazyWidget(props: Props) {
    const ground = useRef<HTMLDivElement & HTMLSpanElement>(null);
    const isDue = useIsDue(ground, arrival);
    const isNamed = arrival === 'near' && !isHeaded;
    const skeleton =
      frame !== undefined ? (
        <div ref={ground}>{frame}</div>
      ) : isNamed ? (
        <NamedPlace name={name} place={place} ground={ground} />
      ) : (
        <Skeleton ref={ground} className={place} needsScript={name} />
      );
    return (
      <WidgetBoundary name={name} place={place} isHeaded={isHeaded}>
        {isDue ? <Suspense fallback={skeleton}>{createElement(Part, props)}</Suspense> : skeleton}
      </WidgetBoundary>
    );
  };
}

/** Page search and screen readers find the widget by its heading before its code is needed. */
function NamedPlace({
  name,
  place,
  ground,
}: {
  name: string;
  place: string | undefined;
  ground: RefObject<HTMLSpanElement | null>;
}) {
  return (
    <Panel heading={name} className={classNames(styles.place, place)} isBusy>
      <Skeleton ref={ground} className={styles.waiting} needsScript={name} />
    </Panel>
  );
}

/** How many parts users reloaded so far, and in a boundary the count at its own reload. */
const reloads = { count: 0 };
const LastReload = createContext(0);

/**
 * `lazy()`, except that a boundary around it can request code again that failed to load.
 * @param isPage  if an update of the site has removed its code, the document is loaded again
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isPage = false,
): ComponentType<Props> {
  let failedAt: number | null = null;
  const make = (isAgain: boolean) =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        const served = await servedVersion();
        // Browsers remember a failed import: another attempt helps only after a reload.
        if (served === 'same' ? isAgain : isPage && served !== null) await reloadPage();
        failedAt = reloads.count;
        throw served === 'same' ? error : new CodeMissing(served);
      }
    });
  let newest = make(false);
  return function Part(props: Props) {
    const lastReload = useContext(LastReload);
    // React renders a failed part again on its own, which must not request anything.
    if (failedAt !== null && lastReload > failedAt) {
      failedAt = null;
      newest = make(true);
    }
    const [Inner] = useState(() => newest);
    return createElement(Inner, props);
  };
}

/** A part without whose code the page works. */
export function lazyExtra<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load().catch((): ComponentType<Props> => () => null) }));
}

/** Its code could not be requested, or an update of the site has removed it: no fault of the code. */
class CodeMissing extends Error {
  readonly served: MissingCodeProps['served'];

  constructor(served: MissingCodeProps['served']) {
    super();
    this.served = served;
  }
}

/** Set by code that loads after the page, while there is a network, because it is needed without one. */
export const missingCode: { View: ComponentType<MissingCodeProps> | null } = { View: null };

export interface MissingCodeProps {
  /** Of the part; undefined for a page. */
  name: string | undefined;
  /** What the server has in place of the code; null while it can't be reached. */
  served: 'newer' | null;
  onRetry: () => void;
}

export interface WidgetBoundaryProps {
  /** Of the part; the whole page by default. */
  name?: string;
  place?: string | undefined;
  isHeaded?: boolean;
  /** In place of a page that failed. */
  failure?: ReactNode;
  /** By default, the page's error listener logs the error. */
  report?: (error: Error, info: ErrorInfo) => void;
  children: ReactNode;
}

interface BoundaryState {
  error: unknown;
  lastReload: number;
}

export class WidgetBoundary extends Component<WidgetBoundaryProps, BoundaryState> {
  static override contextType = LastReload;
  declare context: number;
  // What is opened again requests code again that failed to load before.
  override state: BoundaryState = { error: null, lastReload: ++reloads.count };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    const { report = window.reportError } = this.props;
    if (!(error instanceof CodeMissing)) report(error, info);
  }

  reload = (): void => {
    reloads.count += 1;
    this.setState({ error: null, lastReload: reloads.count });
  };

  override render(): ReactNode {
    const { name, place, isHeaded, children } = this.props;
    const { error, lastReload } = this.state;
    if (error === null) return <LastReload value={Math.max(this.context, lastReload)}>{children}</LastReload>;
    const failure =
      error instanceof CodeMissing && missingCode.View !== null ? (
        <missingCode.View name={name} served={error.served} onRetry={this.reload} />
      ) : (
        (this.props.failure ?? (
          <ErrorState
            title={`We couldn’t show ${name}`}
            isPart
            action={<Button onClick={this.reload}>Reload this part</Button>}
          />
        ))
      );
    if (isHeaded || name === undefined) return failure;
    return (
      <Panel heading={name} className={place}>
        {failure}
      </Panel>
    );
  }
}
