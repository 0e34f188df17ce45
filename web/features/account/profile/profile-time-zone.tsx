/** The profile's time zone: any IANA name, found by typing a place; empty means the browser's zone. */
import { type Ref, useMemo } from 'react';
import { offsetOf, zoneRegions } from '#domain/account/time-zones.ts';
import { isKnownZone } from '#domain/format/zoned-time.ts';
import { Combobox, type ComboboxGroup } from '../../../ui/forms/combobox.tsx';

export interface ProfileTimeZoneProps {
  value: string;
  onChange: (zone: string) => void;
  /** Additional help below the field. */
  note?: string | undefined;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

export function ProfileTimeZone({ value, onChange, note, error, ref }: ProfileTimeZoneProps) {
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
