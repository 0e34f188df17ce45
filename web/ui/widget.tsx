/**
 * A widget of a page: its code comes after the first paint, its place is kept meanwhile, and what it throws takes down
 * nothing but itself.
 */
import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useState,
  useSyncExternalStore,
} from 'react';
import { Skeleton } from './loader.tsx';
import { Panel } from './panel.tsx';
import { ErrorState } from './state.tsx';

/**
 * @param name   the widget's heading, said where it would stand when it fails
 * @param load   its code; asked again by Retry
 * @param place  class of its place: the final height
 */
export function lazyWidget<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  place: string | undefined,
): ComponentType<Props> {
  const make = () => lazy(async () => ({ default: await load() }));
  let newest = make();
  return function LazyWidget(props: Props) {
    const [Inner, setInner] = useState(() => newest);
    const isPainted = useIsPainted();
    const skeleton = <Skeleton className={place} needsScript={name} />;
    const retry = () => {
      // A failed import is remembered by the old one.
      newest = lazy(async () => ({ default: await load().catch(openAnew) }));
      setInner(newest);
    };
    return (
      <WidgetBoundary name={name} place={place} onRetry={retry}>
        {isPainted ? <Suspense fallback={skeleton}>{createElement(Inner, props)}</Suspense> : skeleton}
      </WidgetBoundary>
    );
  };
}

/**
 * Browsers remember code that did not arrive until the page is opened again, and after an update it has another address:
 * only a new page helps. A server that is away is no reason to lose this one.
 *
 * @throws the error, where the page stays
 */
async function openAnew(error: unknown): Promise<never> {
  // Offline is an answer here, not a fault: the widget says what failed.
  const served = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!served?.ok) throw error;
  window.location.reload();
  return new Promise(() => {});
}

export interface WidgetBoundaryProps {
  name: string;
  place?: string | undefined;
  onRetry?: () => void;
  children: ReactNode;
}

export class WidgetBoundary extends Component<WidgetBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: Error): void {
    // To the page's own listener for errors, which writes them down.
    window.reportError(error);
  }

  override render(): ReactNode {
    const { name, place, onRetry, children } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <Panel heading={name} className={place}>
        <ErrorState
          title={`${name} could not be shown`}
          text="The rest of the page still works."
          onRetry={() => {
            onRetry?.();
            this.setState({ hasFailed: false });
          }}
        />
      </Panel>
    );
  }
}

let hasPainted = false;
const waiting = new Set<() => void>();

/**
 * True once the browser has drawn a frame of the page that was opened first; from then on at once, but where a
 * pre-rendered page comes alive: there it begins as it was drawn.
 */
function useIsPainted(): boolean {
  return useSyncExternalStore(whenPainted, () => hasPainted, notYet);
}

const notYet = () => false;

function whenPainted(listener: () => void): () => void {
  if (hasPainted) return () => undefined;
  waiting.add(listener);
  if (waiting.size === 1) watchFirstFrame();
  return () => waiting.delete(listener);
}

function watchFirstFrame(): void {
  const done = (): void => {
    hasPainted = true;
    for (const listener of waiting) listener();
    waiting.clear();
  };
  // A hidden tab draws no frame.
  window.setTimeout(done, document.hidden ? 0 : 1000);
  requestAnimationFrame(() => window.setTimeout(done, 0));
}
