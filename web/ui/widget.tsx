/**
 * A widget of a page: its code comes after the first paint (when-due.ts), its place is kept meanwhile, and what it throws
 * takes down nothing but itself.
 */
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useIsDue } from './browser/when-due.ts';
import { Panel } from './layout/panel.tsx';
import { Skeleton } from './status/loader.tsx';
import { ErrorState } from './status/state.tsx';

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
    const ground = useRef<HTMLSpanElement>(null);
    const isDue = useIsDue(ground);
    const skeleton = <Skeleton ref={ground} className={place} needsScript={name} />;
    const retry = () => {
      // A failed import is remembered by the old one.
      newest = lazy(async () => ({ default: await load().catch(openAnew) }));
      setInner(newest);
    };
    return (
      <WidgetBoundary name={name} place={place} onRetry={retry}>
        {isDue ? <Suspense fallback={skeleton}>{createElement(Inner, props)}</Suspense> : skeleton}
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
