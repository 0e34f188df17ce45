/** Catches rendering errors of a page: shows a message and a way back, and reports the error. */
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { reportError } from '../platform/error-log.ts';
import { Button, LinkButton } from '../ui/forms/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import styles from './error-boundary.module.css';

export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    reportError(error, { where: 'page', component: info.componentStack ?? '' });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
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
    );
  }
}
