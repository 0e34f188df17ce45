/** Switches that save immediately: a change shows before the server has it, and is undone if saving fails. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../../platform/query-client.ts';
import { type Profile, profileKey } from '../../../session/profile.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { type Preferences, updateProfile } from '../profile/profile-api.ts';
import { keepProfile } from '../profile/use-profile.ts';

const REFUSED = 'The server did not take this change. It is as it was before.';
const UNREACHABLE = 'The server could not be reached. It is as it was before.';
const SIGNED_OUT = 'Your session has ended. Sign in again to change this.';

interface Change {
  name: keyof Preferences;
  isOn: boolean;
}

export function usePreferences(userId: string) {
  const [failure, setFailure] = useState<string | null>(null);
  const show = (change: Partial<Preferences>) =>
    queryClient.setQueryData<Profile | null>(profileKey(userId), (profile) => profile && { ...profile, ...change });

  const { mutate } = useMutation({
    // Changes are sent one after the other, so the last click is saved last.
    scope: { id: `preferences ${userId}` },
    networkMode: 'always',
    mutationFn: ({ name, isOn }: Change) => updateProfile(userId, { [name]: isOn }),
    onMutate: async ({ name, isOn }) => {
      setFailure(null);
      await queryClient.cancelQueries({ queryKey: profileKey(userId) });
      show({ [name]: isOn });
    },
    onSuccess: (saved, { name, isOn }) => {
      if (saved.kind === 'saved') return keepProfile(userId, saved.profile);
      show({ [name]: !isOn });
      setFailure(saved.kind === 'not-signed-in' ? SIGNED_OUT : saved.kind === 'refused' ? REFUSED : UNREACHABLE);
      toast.error(saved.kind === 'not-signed-in' ? 'Not signed in' : 'Failed to update profile');
    },
  });
  return { change: mutate, failure };
}
