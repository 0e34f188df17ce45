/** The channels that notifications use: a switch for each, for the whole account. */
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { queryClient } from '../../../platform/query-client.ts';
import { type Profile, profileKey } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Switch } from '../../../ui/forms/switch.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Failure } from '../../../ui/status/failure.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { type Preferences, updateProfile } from '../profile/profile-api.ts';
import { cacheProfile, useProfile } from '../profile/use-profile.ts';
import styles from './preferences-panel.module.css';

const SWITCHES: readonly { name: keyof Preferences; label: string; help: string }[] = [
  {
    name: 'email_notifications',
    label: 'Email notifications',
    help: 'Emails for the alerts you chose. You always get emails about sign-in, security and payments.',
  },
  {
    name: 'push_notifications',
    label: 'Push notifications',
    help: 'Alerts on all devices where you turned notifications on. When this is off, none of them gets any.',
  },
  {
    name: 'marketing_emails',
    label: 'Marketing emails',
    help: 'News and offers. We don’t send any yet. Switching this off withdraws your consent.',
  },
];

export function PreferencesPanel({ user }: { user: SessionUser }) {
  const { profile, hasFailed, isFetching, retry } = useProfile(user);
  return (
    <Panel heading="Email and push">
      {hasFailed ? (
        <ErrorState
          title="We couldn’t load your preferences"
          text="They haven’t changed."
          onRetry={retry}
          isRetrying={isFetching}
        />
      ) : profile === null ? (
        <div role="status" aria-label="Loading your preferences">
          <Skeleton className={styles.waiting} />
        </div>
      ) : (
        <Switches userId={user.id} profile={profile} />
      )}
    </Panel>
  );
}

function Switches({ userId, profile }: { userId: string; profile: Profile }) {
  const { change, failure } = usePreferences(userId);
  const id = useId();
  return (
    <div className="grid gap-4">
      {SWITCHES.map(({ name, label, help }) => (
        <div key={name}>
          <Switch
            label={label}
            isOn={profile[name]}
            describedBy={`${id}-${name}`}
            onToggle={() => change({ name, isOn: !profile[name] })}
          />
          <p id={`${id}-${name}`} className={styles.help}>
            {help}
          </p>
        </div>
      ))}
      {failure !== null && <Failure>{failure}</Failure>}
    </div>
  );
}

const REFUSED = 'The server rejected this change. Your setting stays as it was.';
const UNREACHABLE = 'We couldn’t reach the server. Your setting stays as it was.';
const SIGNED_OUT = 'Your session has ended. Sign in again to change this.';

interface Change {
  name: keyof Preferences;
  isOn: boolean;
}

/** Switches that save immediately: a change shows before the server has it, and is undone if saving fails. */
function usePreferences(userId: string) {
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
      if (saved.kind === 'saved') return cacheProfile(userId, saved.profile);
      show({ [name]: !isOn });
      setFailure(saved.kind === 'not-signed-in' ? SIGNED_OUT : saved.kind === 'refused' ? REFUSED : UNREACHABLE);
      toast.error(saved.kind === 'not-signed-in' ? 'Not signed in' : 'Failed to update profile');
    },
  });
  return { change: mutate, failure };
}
