import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { findRoute } from '#domain/site/routes.ts';
import { isArriving, linkAnswerOf } from '../../session/link-arrival.ts';
import { useSession } from '../../session/session.ts';
import { whenIdle } from '../../ui/browser/when-due.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { Toaster } from '../../ui/overlay/toaster.tsx';
import { Loader } from '../../ui/status/loader.tsx';
import { lazyExtra, lazyPart } from '../../ui/widget.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { EnvironmentBar } from './environment-bar.tsx';
import { Footer } from './footer.tsx';
import styles from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { useCommandMenu } from './use-command-menu.ts';

/** The pop-out window shows only its chart. */
const BARE_PATH = '/popout';

export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isBare = pathname === BARE_PATH;
  const { show, menu } = useCommandMenu(!isBare);
  useScroll();
  useAlertWatch(!isBare);
  useEndedNotice(pathname);
  useFocusOnPageChange(main, pathname);
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {!isBare && <EnvironmentBar />}
      {!isBare && <Navigation onSearch={() => show('commands')} />}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <ErrorBoundary key={pathname}>
          {!isBare && <LinkPlace />}
          <Suspense fallback={<Loader />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      {!isBare && <Footer />}
      {menu}
      <StripPlace />
      <Toaster />
    </>
  );
}

const LinkAnswers = lazyPart(async () => (await import('../../session/link-answer.tsx')).LinkAnswers);

/** Few visits begin with the link of a mail or a provider: the code that answers it loads then. */
function LinkPlace() {
  const { initialized } = useSession();
  const location = useLocation();
  const isLinked = isArriving(location) || linkAnswerOf(location.state)?.kind === 'signed-in';
  return (
    initialized &&
    isLinked && (
      <Suspense fallback={null}>
        <LinkAnswers />
      </Suspense>
    )
  );
}

const OfflineStrip = lazyExtra(async () => (await import('./offline-strip.tsx')).OfflineStrip);
const STRIP_CODE_MS = 5000;

function StripPlace() {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true), STRIP_CODE_MS), []);
  return (
    isDue && (
      <Suspense fallback={null}>
        <OfflineStrip />
      </Suspense>
    )
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

/** How long to wait for a section to appear while its page's code and data load. */
const SECTION_WAIT_MS = 3000;

/** Each new path starts at the top, the first page where the browser restores it; a fragment scrolls once it exists. */
function useScroll(): void {
  const { pathname, hash } = useLocation();
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run again for each path
  useEffect(() => {
    const isOpened = isFirst.current;
    isFirst.current = false;
    if (hash === '') {
      if (isOpened) return;
      // Newer browsers return a promise, which must not become the effect's cleanup.
      void window.scrollTo(0, 0);
      return;
    }
    return whenPresent(decodeFragment(hash), (section) => section.scrollIntoView());
  }, [pathname, hash]);
}

function whenPresent(id: string, act: (element: HTMLElement) => void): (() => void) | undefined {
  const present = document.getElementById(id);
  if (present) {
    act(present);
    return;
  }
  const observer = new MutationObserver(() => {
    const found = document.getElementById(id);
    if (!found) return;
    stop();
    act(found);
  });
  const timer = setTimeout(() => stop(), SECTION_WAIT_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    // A lone per cent sign: use the fragment undecoded.
    return hash.slice(1);
  }
}

/** A public page stays when the session ends; others lead to the sign-in form, which gives the reason itself. */
function useEndedNotice(pathname: string): void {
  const { hasEnded } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end itself is reported, on the page where it came
  useEffect(() => {
    if (hasEnded && findRoute(pathname)?.access !== 'signed-in')
      toast.show('Your session has ended. Sign in to continue.');
  }, [hasEnded]);
}

/** @param isOn  false on pages without a place for alerts */
function useAlertWatch(isOn: boolean): void {
  const userId = useSession().user?.id;
  useEffect(() => {
    if (userId === undefined || !isOn) return;
    let isOver = false;
    let stop = whenIdle(() => {
      import('../../features/alerts/watch-alerts.ts').then(
        ({ watchAlerts }) => {
          if (!isOver) stop = watchAlerts(userId);
        },
        // Without its code no alerts show here; the list on the track record has them all.
        () => undefined,
      );
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [userId, isOn]);
}
