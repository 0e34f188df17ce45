/**
 * The zone of every time on the screen: the profile's, else the browser's, or UTC if the user switches to it. Local
 * storage has it, so that other tabs follow and the next page starts with the right zone.
 */
import { isKnownZone } from '#domain/format/zoned-time.ts';
import { pageState } from '../../page-state.ts';
import { usePrerenderedStore } from './prerendered-store.ts';
import { storedText } from './stored-value.ts';

/** Holds 'true' or 'false'. */
export const UTC_KEY = 'timesInUtc';
/** IANA name; removed while no one is signed in or the profile has no zone. */
export const PROFILE_ZONE_KEY = 'profileTimeZone';

// If they can't be stored, a choice lasts until the page is left.
const timesInUtc = storedText('localStorage', UTC_KEY);
const profileTimeZone = storedText('localStorage', PROFILE_ZONE_KEY);

interface ZoneState {
  zone: string;
  isUtc: boolean;
  /** The zone to return to when UTC is switched off. */
  ownZone: string;
}

export interface TimeZone extends ZoneState {
  toggleUtc(): void;
}

const UTC = 'UTC';
/** For pre-rendered pages. */
const UNKNOWN: ZoneState = { zone: UTC, isUtc: false, ownZone: UTC };

interface ZoneStore {
  profileZone: string | null;
  current: ZoneState | null;
  listeners: Set<() => void>;
}

const store = pageState<ZoneStore>(
  () => ({ profileZone: null, current: null, listeners: new Set() }),
  ({ current }) => {
    // The listener is added with the first read.
    if (current !== null) window.removeEventListener('storage', followOtherTabs);
  },
);

export function useTimeZone(): TimeZone {
  const current = usePrerenderedStore(onTimeZoneChange, currentTimeZone, UNKNOWN);
  return { ...current, toggleUtc };
}

/** For code that draws outside React. After the first read it follows other tabs, so that no change is missed. */
export function currentTimeZone(): ZoneState {
  const page = store();
  if (page.current === null) {
    page.current = readTimeZone();
    window.addEventListener('storage', followOtherTabs);
  }
  return page.current;
}

/** @param zone  the signed-in user's zone; with null or an unknown one, the browser's applies */
export function setProfileZone(zone: string | null): void {
  store().profileZone = zone;
  profileTimeZone.write(zone);
  apply(stateOf(currentTimeZone().isUtc));
}

export function toggleUtc(): void {
  const isUtc = !currentTimeZone().isUtc;
  timesInUtc.write(String(isUtc));
  apply(stateOf(isUtc));
}

/** @returns a function that unsubscribes */
function onTimeZoneChange(listener: () => void): () => void {
  const { listeners } = store();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readTimeZone(): ZoneState {
  store().profileZone = profileTimeZone.read();
  return stateOf(timesInUtc.read() === 'true');
}

/** The key is null when all of storage was cleared. */
function followOtherTabs({ key }: StorageEvent): void {
  if (key === null || key === UTC_KEY || key === PROFILE_ZONE_KEY) apply(readTimeZone());
}

function apply(next: ZoneState): void {
  const now = currentTimeZone();
  if (now.zone === next.zone && now.isUtc === next.isUtc && now.ownZone === next.ownZone) return;
  store().current = next;
  for (const listener of store().listeners) listener();
}

function stateOf(isUtc: boolean): ZoneState {
  const { profileZone } = store();
  const ownZone = profileZone !== null && isKnownZone(profileZone) ? profileZone : browserZone();
  return { zone: isUtc ? UTC : ownZone, isUtc, ownZone };
}

/** Privacy-minded browsers may report no zone, or 'Etc/Unknown'. */
function browserZone(): string {
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === 'Etc/Unknown' ? UTC : zone;
}
