/** Catches rendering errors of a page: shows a message and a way back, and reports the error. */
import type { ReactNode } from 'react';
import { reportError } from '../platform/error-log.ts';
import { Button, LinkButton } from '../ui/forms/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { WidgetBoundary } from '../ui/widget.tsx';
import styles from './error-boundary.module.css';

export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <WidgetBoundary
      report={(error, info) => reportError(error, { where: 'page', component: info.componentStack ?? '' })}
      failure={
        <Page width="reading">
          <div role="alert" className={styles.failure}>
            <h1>We couldn’t show this page</h1>
            <p>The rest of the site still works. The error has been reported.</p>
            <div className={styles.actions}>
              <Button variant="primary" onClick={() => window.location.reload()}>
                Reload
              </Button>
              {/* Reloads the document: on the home page itself a plain link would do nothing. */}
              <LinkButton to="/" reloadDocument>
                Back to the home page
              </LinkButton>
            </div>
          </div>
        </Page>
      }
    >
      {children}
    </WidgetBoundary>
  );
}
