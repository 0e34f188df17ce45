import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { currentTimeZone, setProfileZone, useTimeZone } from './time-zone.ts';

function mount() {
  function Shown() {
    const { zone, isUtc, ownZone, toggleUtc } = useTimeZone();
    return (
      <button type="button" onClick={toggleUtc}>
        {`${zone} of ${ownZone}${isUtc ? ', switched' : ''}`}
      </button>
    );
  }
  render(<Shown />);
  return (zone: string | null) => act(() => setProfileZone(zone));
}

const shown = () => screen.getByRole('button').textContent;
const press = () => userEvent.click(screen.getByRole('button'));

function browserIsIn(timeZone: string | undefined) {
  const real = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...real, timeZone: timeZone as string });
}

/** What another tab wrote. */
function elsewhere(key: string | null, value: string | null) {
  if (key === null) window.localStorage.clear();
  else if (value === null) window.localStorage.removeItem(key);
  else window.localStorage.setItem(key, value);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue: value })));
}

beforeEach(() => browserIsIn('Europe/Berlin'));

test('shows times in the browser’s zone, and in UTC once switched, and remembers the switch', async () => {
  mount();
  expect(shown()).toBe('Europe/Berlin of Europe/Berlin');

  await press();
  expect(shown()).toBe('UTC of Europe/Berlin, switched');
  expect(window.localStorage.getItem('timesInUtc')).toBe('true');

  await press();
  expect(shown()).toBe('Europe/Berlin of Europe/Berlin');
  expect(window.localStorage.getItem('timesInUtc')).toBe('false');
});

test('prefers the profile’s zone over the browser’s, behind the switch too, and drops it with the profile', async () => {
  const setProfileZone = mount();

  setProfileZone('Asia/Kolkata');
  expect(shown()).toBe('Asia/Kolkata of Asia/Kolkata');

  await press();
  setProfileZone('Pacific/Chatham');
  expect(shown()).toBe('UTC of Pacific/Chatham, switched');

  setProfileZone(null);
  await press();
  expect(shown()).toBe('Europe/Berlin of Europe/Berlin');
  expect(window.localStorage.getItem('profileTimeZone')).toBeNull();
});

test('starts the next page with the profile’s zone', async () => {
  window.localStorage.setItem('profileTimeZone', 'America/New_York');

  mount();

  expect(shown()).toBe('America/New_York of America/New_York');
});

test.each(['Mars/Phobos', '', 'Etc/Unknown'])(
  'keeps the browser’s zone for an invalid profile’s zone %j',
  async (zone) => {
    const setProfileZone = mount();

    setProfileZone(zone);

    expect(shown()).toBe('Europe/Berlin of Europe/Berlin');
  },
);

test.each([undefined, 'Etc/Unknown'])('reads times in UTC in a browser that reports its zone as %j', async (zone) => {
  browserIsIn(zone);

  mount();

  expect(shown()).toBe('UTC of UTC');
});

test('holds the switch and the profile’s zone until the page is left while storage is blocked', async () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const setProfileZone = mount();

  setProfileZone('Asia/Kolkata');
  await press();

  expect(shown()).toBe('UTC of Asia/Kolkata, switched');
});

test('sees what another tab chose between the first read and the first listener', async () => {
  expect(currentTimeZone().zone).toBe('Europe/Berlin');

  elsewhere('timesInUtc', 'true');
  mount();

  expect(shown()).toBe('UTC of Europe/Berlin, switched');
});

test('follows another tab’s switch, its profile and its cleared storage', async () => {
  mount();

  elsewhere('timesInUtc', 'true');
  expect(shown()).toBe('UTC of Europe/Berlin, switched');

  elsewhere('profileTimeZone', 'Australia/Lord_Howe');
  expect(shown()).toBe('UTC of Australia/Lord_Howe, switched');

  elsewhere('timesInUtc', 'false');
  expect(shown()).toBe('Australia/Lord_Howe of Australia/Lord_Howe');

  elsewhere(null, null);
  expect(shown()).toBe('Europe/Berlin of Europe/Berlin');
});
