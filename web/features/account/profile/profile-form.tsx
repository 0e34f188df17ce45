import { Fragment, type Ref, useMemo } from 'react';
import {
  countCharacters,
  PROFILE,
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileFieldRow,
} from '#domain/account/profile.ts';
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
    return stored === '' ? 'Cleared on another device.' : `Changed on another device to: ${stored}`;
  };
  return (
    <Panel heading="Your details">
      <form noValidate aria-label="Profile" className={styles.form} onSubmit={(event) => void form.onSubmit(event)}>
        {PROFILE_FIELDS.map((name) => (
          <Fragment key={name}>
            <ProfileInput
              row={PROFILE[name]}
              help={help(name)}
              {...field(name)}
              onChange={(value) => change(name, value)}
            />
            {name === 'full_name' && (
              <Field
                label="Email"
                type="email"
                autoComplete="email"
                readOnly
                value={user.email ?? ''}
                help="Email cannot be changed"
              />
            )}
          </Fragment>
        ))}
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
              <span className="muted size-13">Not saved yet</span>
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
      placeholder={`Browser’s time zone (${own})`}
      listLabel="Zones"
      clearLabel="Use the browser’s time zone"
      noneFound="No time zone with that name"
      help={note ?? helpFor(value, own)}
      error={error}
      {...(ref === undefined ? {} : { ref })}
    />
  );
}

function helpFor(value: string, own: string): string {
  const text = value.trim();
  if (text === '') return `Leave empty to use the browser’s time zone, now ${offsetOf(own, Date.now())}.`;
  if (isKnownZone(text)) return `Times are shown in this time zone, now ${offsetOf(text, Date.now())}.`;
  return 'This browser doesn’t recognize this time zone, so times use the browser’s own.';
}

function groupsAt(nowMs: number): ComboboxGroup[] {
  return zoneRegions(Intl.supportedValuesOf('timeZone'), nowMs).map(({ region, zones }) => ({
    heading: region,
    options: zones.map(({ zone, place, formerly = '', offset }) => ({
      value: zone,
      label: place,
      detail: offset,
      searchText: `${zone} ${place} ${formerly} ${offset} ${offset.replace('UTC', 'GMT')}`
        .replace('−', '-')
        .replaceAll('_', ' ')
        .toLowerCase(),
    })),
  }));
}

interface ProfileInputProps {
  row: ProfileFieldRow;
  name: ProfileField;
  value: string;
  help: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
  ref: Ref<HTMLElement & HTMLInputElement & HTMLTextAreaElement>;
}

function ProfileInput({ row, onChange, ...input }: ProfileInputProps) {
  const { label, kind, autoComplete, maxCharacters } = row;
  if (kind === 'time-zone') {
    const { name: _fixed, help, ...zone } = input;
    return <ProfileTimeZone {...zone} note={help} onChange={onChange} />;
  }
  const shared = {
    ...input,
    label,
    ...(autoComplete === undefined ? {} : { autoComplete }),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (kind) {
    case 'long-text':
      return (
        <TextArea {...shared} rows={5} dir="auto" count={{ now: countCharacters(input.value), max: maxCharacters }} />
      );
    case 'url':
      return <Field {...shared} type="url" inputMode="url" placeholder="https://" />;
    case 'tel':
      return <Field {...shared} type="tel" />;
    case 'name':
    case 'text':
      return <Field {...shared} dir="auto" />;
  }
}
