/** The form of /account: the whole profile except its photo. */
import { type Ref, useMemo } from 'react';
import { countCharacters, MAX_CHARACTERS, type ProfileField } from '#domain/account/profile.ts';
import { offsetOf, zoneRegions } from '#domain/account/time-zones.ts';
import { isKnownZone } from '#domain/format/zoned-time.ts';
import type { Profile } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Combobox, type ComboboxGroup } from '../../../ui/forms/combobox.tsx';
import { Field, TextArea } from '../../../ui/forms/field.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import styles from './profile-form.module.css';
import { useProfileForm } from './use-profile-form.ts';

export function ProfileForm({ user, profile }: { user: SessionUser; profile: Profile }) {
  const form = useProfileForm(user.id, profile);
  const { field, change, isBusy, isDirty, failure } = form;
  const help = (name: ProfileField, usual?: string) => {
    const stored = form.changedElsewhere(name);
    if (stored === null) return usual;
    return stored === '' ? 'Emptied elsewhere meanwhile.' : `Changed elsewhere meanwhile, to: ${stored}`;
  };
  const { onChange: _untied, ...timezone } = field('timezone');
  return (
    <Panel heading="Your details">
      <form noValidate aria-label="Profile" className={styles.form} onSubmit={(event) => void form.onSubmit(event)}>
        <Field label="Full name" autoComplete="name" dir="auto" help={help('full_name')} {...field('full_name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          readOnly
          value={user.email ?? ''}
          help="Email cannot be changed"
        />
        <Field label="Phone" type="tel" autoComplete="tel" help={help('phone')} {...field('phone')} />
        <Field
          label="Location"
          autoComplete="address-level2"
          dir="auto"
          help={help('location')}
          {...field('location')}
        />
        <Field
          label="Website"
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="https://"
          help={help('website')}
          {...field('website')}
        />
        <ProfileTimeZone {...timezone} note={help('timezone')} onChange={(zone) => change('timezone', zone)} />
        <TextArea
          label="Bio"
          rows={5}
          dir="auto"
          help={help('bio')}
          count={{ now: countCharacters(field('bio').value), max: MAX_CHARACTERS.bio }}
          {...field('bio')}
        />
        {failure !== null && <Failure>{failure}</Failure>}
        <div className={styles.actions}>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Save Changes
          </Button>
          {isDirty && !isBusy && (
            <>
              <Button variant="quiet" onClick={form.discard}>
                Discard
              </Button>
              <span className={styles.unsaved}>Not saved yet</span>
            </>
          )}
        </div>
      </form>
    </Panel>
  );
}

interface ProfileTimeZoneProps {
  value: string;
  onChange: (zone: string) => void;
  /** Additional help below the field. */
  note?: string | undefined;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** The profile's time zone: any IANA name, found by typing a place; empty means the browser's zone. */
function ProfileTimeZone({ value, onChange, note, error, ref }: ProfileTimeZoneProps) {
  const groups = useMemo(() => groupsAt(Date.now()), []);
  const own = useMemo(() => new Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  return (
    <Combobox
      label="Timezone"
      name="timezone"
      value={value}
      groups={groups}
      onChange={onChange}
      placeholder={`Browser's zone (${own})`}
      listLabel="Zones"
      clearLabel="Use the browser's zone"
      noneFound="No zone of that name"
      help={note ?? helpFor(value, own)}
      error={error}
      {...(ref === undefined ? {} : { ref })}
    />
  );
}

function helpFor(value: string, own: string): string {
  const text = value.trim();
  if (text === '') return `Empty: times are shown in the browser's zone, now ${offsetOf(own, Date.now())}.`;
  if (isKnownZone(text)) return `Times are shown in this zone, now ${offsetOf(text, Date.now())}.`;
  return "This browser does not know this zone: times are shown in the browser's own.";
}

function groupsAt(nowMs: number): ComboboxGroup[] {
  return zoneRegions(Intl.supportedValuesOf('timeZone'), nowMs).map(({ region, zones }) => ({
    heading: region,
    options: zones.map(({ zone, place, formerly = '', offset }) => ({
      value: zone,
      label: place,
      detail: offset,
      words: `${zone} ${place} ${formerly} ${offset} ${offset.replace('UTC', 'GMT')}`
        .replace('−', '-')
        .replaceAll('_', ' ')
        .toLowerCase(),
    })),
  }));
}
