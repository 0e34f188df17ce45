import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toggleUtc } from '../../ui/browser/time-zone.ts';
import { Retry } from '../../ui/status/quiet.tsx';
import { OfflineStrip } from './offline-strip.tsx';

const line = (isOnline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
};

/** Whose requests go out whatever the browser says of its network. */
function Figure({ load }: { load: () => Promise<string> }) {
  const { data } = useQuery({ queryKey: ['figure'], queryFn: load, networkMode: 'always', staleTime: Infinity });
  return <output>{data}</output>;
}

test('says since when there is no network, in place of every Retry, and loads all figures again after it', async () => {
  toggleUtc();
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 14, 5), toFake: ['Date'] });
  const load = vi.fn().mockResolvedValueOnce('62,000').mockResolvedValue('62,100');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OfflineStrip />
      <Figure load={load} />
      <Retry isRetrying={false} onRetry={() => undefined} />
    </QueryClientProvider>,
  );
  await screen.findByText('62,000');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();

  line(false);
  vi.setSystemTime(Date.UTC(2026, 10, 23, 14, 9));
  expect(screen.getByText(/offline/).closest('p')?.textContent).toBe(
    'You’re offline since 14:05 UTC. Figures are from then.',
  );
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(load).toHaveBeenCalledOnce();

  line(true);
  expect(screen.queryByText(/offline/)).toBeNull();
  await screen.findByText('62,100');
});
