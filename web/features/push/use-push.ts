import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { type Profile, profileKey } from '../../session/profile.ts';
import { fetchPush, type PushDevice, type PushOn, sendTest, turnOff, turnOn } from './push-api.ts';

export type PushBusy = 'asking' | 'testing' | `removing ${string}` | null;
/** The message below the buttons. */
export type PushResult = { tone: 'done' | 'failed'; message: string } | null;

export function usePush(userId: string) {
  const queryKey = ['push', userId];
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchPush(userId, signal),
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  });
  const isMuted = useIsMuted(userId);
  const [busy, setBusy] = useState<PushBusy>(null);
  const [result, setResult] = useState<PushResult>(null);

  async function runTask(what: NonNullable<PushBusy>, work: () => Promise<PushResult>): Promise<void> {
    setBusy(what);
    setResult(null);
    const outcome = await work();
    await Promise.all([
      queryClient.invalidateQueries({ queryKey }),
      queryClient.invalidateQueries({ queryKey: profileKey(userId) }),
    ]);
    setResult(outcome);
    setBusy(null);
  }
  // The clicked button was replaced by another, so the focus must move.
  const content = useRef<HTMLDivElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    if (busy !== null) isOver.current = true;
    else if (isOver.current) {
      isOver.current = false;
      if (document.activeElement === document.body) content.current?.focus();
    }
  }, [busy]);
  const failed = (message: string): PushResult => ({ tone: 'failed', message });

  return {
    state: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
    isMuted,
    busy,
    result,
    content,
    turnOn: (config: PushOn) =>
      runTask('asking', async () => {
        const outcome = await turnOn(config);
        if (outcome === 'dismissed')
          return failed('You dismissed your browser’s prompt, so notifications are still off.');
        return typeof outcome === 'string' ? null : failed(outcome.failure);
      }),
    remove: (device: PushDevice) =>
      runTask(`removing ${device.id}`, async () => {
        const failure = await turnOff(device);
        return failure === null ? null : failed(failure);
      }),
    test: (device: PushDevice, sentMessage: string) =>
      runTask('testing', async () => {
        const failure = await sendTest(device.id);
        return failure === null ? { tone: 'done', message: sentMessage } : failed(failure);
      }),
  };
}

/** A switch in the preferences mutes all devices. Reads the cache, because an observer would need a query function. */
function useIsMuted(userId: string): boolean {
  const isMuted = () => queryClient.getQueryData<Profile>(profileKey(userId))?.push_notifications === false;
  return useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(onChange),
    isMuted,
    () => false,
  );
}
