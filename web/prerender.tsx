/** Renders one page as HTML, in Node, while the site is built: what a visitor sees before any script has run. */
import { QueryClient } from '@tanstack/react-query';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import { Site } from './app/app.tsx';

/** @throws any error of a component: a page that cannot render fails the build */
export async function renderPage(pathname: string): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <Site
      queryClient={new QueryClient()}
      isPrerendered
      inRouter={(app) => <StaticRouter location={pathname}>{app}</StaticRouter>}
    />,
    {
      onError: (error) => void failures.push(error),
      // React would otherwise split large parts and join them with an inline script, which the content policy refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    },
  );
  const html = await new Response(prelude).text();
  if (failures.length > 0) throw new Error(`${pathname} could not be rendered`, { cause: failures[0] });
  return html;
}
