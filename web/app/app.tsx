/** The whole site below its providers: the layout and the current page. */
import { Route, Routes } from 'react-router';
import { GuestOnly, SignedInOnly } from '../session/guards.tsx';
import { AccountLayout } from './layout/account-layout.tsx';
import { Layout } from './layout/layout.tsx';
import { useHead } from './layout/use-head.ts';
import { LoadAhead } from './load-ahead.tsx';
import { type PageRoute, ROUTES } from './routes.ts';

export function App() {
  useHead();
  return (
    <Layout>
      <Routes>
        {ROUTES.map((route) => (
          <Route key={route.path} path={route.path} element={<Guarded route={route} />} />
        ))}
      </Routes>
    </Layout>
  );
}

function Guarded({ route }: { route: PageRoute }) {
  const { Page, access } = route;
  if (access === 'signed-in') {
    return (
      <SignedInOnly>
        {isAccountPath(route.path) ? (
          <AccountLayout>
            <Page />
          </AccountLayout>
        ) : (
          <Page />
        )}
      </SignedInOnly>
    );
  }
  if (access === 'signed-out') {
    return (
      <>
        <GuestOnly>
          <Page />
        </GuestOnly>
        <LoadAhead />
      </>
    );
  }
  return <Page />;
}

function isAccountPath(path: string): boolean {
  return path === '/account' || path.startsWith('/account/');
}
