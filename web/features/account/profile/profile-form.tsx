/** The form of /account: the whole profile except its photo. */
import { countCharacters, MAX_CHARACTERS, type ProfileField } from '#domain/account/profile.ts';
import type { Profile } from '../../../session/profile.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, TextArea } from '../../../ui/forms/field.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import styles from './profile-form.module.css';
import { ProfileTimeZone } from './profile-time-zone.tsx';
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
