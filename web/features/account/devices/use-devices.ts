/** State of the device list: a signed-out device leaves it immediately, and returns if signing out failed. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../../platform/query-client.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { type Device, endDevice, endOtherDevices, fetchDevices } from './devices-api.ts';

const devicesKey = (userId: string) => ['devices', userId];

export function useDevices(userId: string) {
  const key = devicesKey(userId);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchDevices(signal),
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  });

  /** @returns the list before, for a rollback */
  const hideDevices = async (isHidden: (device: Device) => boolean) => {
    await queryClient.cancelQueries({ queryKey: key });
    const before = queryClient.getQueryData<Device[]>(key);
    queryClient.setQueryData<Device[]>(key, (devices) => devices?.filter((device) => !isHidden(device)));
    return before;
  };
  const restore = (before: Device[] | undefined) => queryClient.setQueryData(key, before);
  const invalidate = () => queryClient.invalidateQueries({ queryKey: key });

  const one = useMutation({
    mutationFn: (device: Device) => endDevice(device.id),
    networkMode: 'always',
    onMutate: (device) => hideDevices(({ id }) => id === device.id),
    onSuccess: () => void toast.success('Signed out'),
    onError: (_error, _device, before) => {
      restore(before);
      toast.error('The device is still signed in');
    },
    onSettled: invalidate,
  });
  const others = useMutation({
    mutationFn: endOtherDevices,
    networkMode: 'always',
    onMutate: () => hideDevices(({ isCurrent }) => !isCurrent),
    onSuccess: () => void toast.success('Signed out everywhere else'),
    onError: (_error, _nothing, before) => {
      restore(before);
      toast.error('The other devices are still signed in');
    },
    onSettled: invalidate,
  });

  const { data, isError, isFetching, refetch } = query;
  return {
    devices: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
    end: (device: Device) => {
      others.reset();
      one.mutate(device);
    },
    endOthers: () => {
      one.reset();
      others.mutate();
    },
    failure: failureOf(one.isError, others.isError),
  };
}

/** Setting up a second factor ends some sessions on the server. */
export function refetchDevices(userId: string): void {
  void queryClient.invalidateQueries({ queryKey: devicesKey(userId) });
}

function failureOf(hasOneFailed: boolean, haveOthersFailed: boolean): string | null {
  if (haveOthersFailed) return 'We couldn’t sign out the other devices, so they are still signed in. Please try again.';
  return hasOneFailed ? 'We couldn’t sign out that device, so it is still signed in. Please try again.' : null;
}
