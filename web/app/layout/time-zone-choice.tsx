/** The current time zone and the switch to UTC: in the footer of every page, after its first paint. */
import { useProfileZone } from '../../session/profile-query.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import styles from './time-zone-choice.module.css';

export function TimeZoneChoice() {
  useProfileZone();
  const { isUtc, ownZone, toggleUtc } = useTimeZone();
  return (
    <p className={styles.choice}>
      <span>
        Times in <span className={isUtc ? undefined : styles.chosen}>{ownZone.replaceAll('_', ' ')}</span>
      </span>
      {/* The switch is hidden where it would do nothing. */}
      {ownZone !== 'UTC' && <Switch label="UTC" name="Times in UTC" isOn={isUtc} onToggle={toggleUtc} />}
    </p>
  );
}
