/** The whole site in a test. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';

/** Draws the site at an address; after `vi.resetModules()` its modules are fresh, and nobody is known to be signed in. */
export async function visit(address: string): Promise<void> {
  window.history.replaceState(null, '', address);
  const { BrowserRouter } = await import('react-router');
  const { App } = await import('../app.tsx');
  const { queryClient } = await import('../../platform/query-client.ts');
  render(
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}
