/** The frame of every page: skip link, navigation, main, footer, toasts. */
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { LinkAnswers } from '../../session/link-answers.tsx';
import { Toaster } from '../../ui/overlay/toaster.tsx';
import { Loader } from '../../ui/status/loader.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { useAlertWatch } from '../use-alert-watch.ts';
import { Footer } from './footer.tsx';
import styles from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { useScroll } from './use-scroll.ts';

/** The pop-out window shows only its chart. */
const BARE_PATH = '/popout';

export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isBare = pathname === BARE_PATH;
  useScroll();
  useAlertWatch(!isBare);
  useFocusOnPageChange(main, pathname);
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {!isBare && <Navigation />}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Loader />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      {!isBare && <Footer />}
      {!isBare && <LinkAnswers />}
      <Toaster />
    </>
  );
}

/** Focuses main so that screen readers notice the new page; the first page keeps the browser's own focus. */
function useFocusOnPageChange(main: { current: HTMLElement | null }, pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A form with a single field has already focused it.
    if (main.current?.contains(document.activeElement) === true) return;
    main.current?.focus({ preventScroll: true });
  }, [main, pathname]);
}
