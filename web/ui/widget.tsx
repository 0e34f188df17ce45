/** A widget's code loads after the first paint; its place is reserved meanwhile, and its errors affect only itself. */
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useIsDue } from './browser/when-due.ts';
import { Panel } from './layout/panel.tsx';
import { Skeleton } from './status/loader.tsx';
import { ErrorState } from './status/state.tsx';

/**
 * @param name   the heading, shown if it fails  @param load   called again by Retry  @param place  class of its place
 * @param frame  shown until its code has loaded, as high as the widget itself; a grey shape by default
 */
export function lazyWidget<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  place: string | undefined,
  frame?: ReactNode,
): ComponentType<Props> {
  const make = () => lazy(async () => ({ default: await load() }));
  let newest = make();
  return function LazyWidget(props: Props) {
    const [Inner, setInner] = useState(() => newest);
    const ground = useRef<HTMLDivElement & HTMLSpanElement>(null);
    const isDue = useIsDue(ground);
    const skeleton =
      frame === undefined ? (
        <Skeleton ref={ground} className={place} needsScript={name} />
      ) : (
        <div ref={ground}>{frame}</div>
      );
    const retry = () => {
      // The old lazy component remembers a failed import.
      newest = lazy(async () => ({ default: await load().catch(reloadPage) }));
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
 * Browsers cache a failed import, and an update changes addresses: only a reload helps, if the server is available.
 * @throws the error, if the page stays
 */
async function reloadPage(error: unknown): Promise<never> {
  // Offline is expected here: the widget shows the failure.
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
    // To the page's error listener, which logs it.
    window.reportError(error);
  }

  override render(): ReactNode {
    const { name, place, onRetry, children } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <Panel heading={name} className={place}>
        <ErrorState
          title={`We couldn’t show ${name}`}
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
