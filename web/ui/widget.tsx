/** A widget's code loads after the first paint; its place is reserved meanwhile, and its errors affect only itself. */
import {
  Component,
  type ComponentType,
  createContext,
  createElement,
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

/** `lazy()`, except that 'Reload this part' around it requests code again that failed to load. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let failedAt: number | null = null;
  const make = (isAgain: boolean) =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        const served = await servedVersion();
        // Browsers remember a failed import: another attempt helps only after a reload.
        if (isAgain && served === 'same') await reloadPage();
        failedAt = reloads.count;
        throw served === 'newer' ? new OutdatedPage(error) : error;
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

/** The code of this page's version was removed by an update: only a reload of the page helps. */
class OutdatedPage extends Error {
  override name = 'OutdatedPage';

  constructor(cause: unknown) {
    super('The server has a newer version of this page.', { cause });
  }
}

export interface WidgetBoundaryProps {
  name: string;
  place?: string | undefined;
  isHeaded?: boolean;
  children: ReactNode;
}

interface BoundaryState {
  error: unknown;
  lastReload: number;
}

export class WidgetBoundary extends Component<WidgetBoundaryProps, BoundaryState> {
  static override contextType = LastReload;
  declare context: number;
  override state: BoundaryState = { error: null, lastReload: 0 };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    // To the page's error listener, which logs it.
    window.reportError(error);
  }

  reload = (): void => {
    reloads.count += 1;
    this.setState({ error: null, lastReload: reloads.count });
  };

  override render(): ReactNode {
    const { name, place, isHeaded = false, children } = this.props;
    const { error, lastReload } = this.state;
    if (error === null) return <LastReload value={Math.max(this.context, lastReload)}>{children}</LastReload>;
    const failure =
      error instanceof OutdatedPage ? (
        <ErrorState
          title="Kat has been updated"
          text={`Reload the page to show ${name}.`}
          action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
        />
      ) : (
        <ErrorState
          title={`We couldn’t show ${name}`}
          isPart
          action={<Button onClick={this.reload}>Reload this part</Button>}
        />
      );
    if (isHeaded) return failure;
    return (
      <Panel heading={name} className={place}>
        {failure}
      </Panel>
    );
  }
}
