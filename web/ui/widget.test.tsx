import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Away } from './status/away.tsx';
import { lazyWidget, missingCode } from './widget.tsx';

const reported = vi.fn();

beforeEach(() => {
  missingCode.View = Away;
  reported.mockReset();
  vi.stubGlobal('reportError', reported);
  // React logs caught errors to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

async function reloadPart(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'Reload this part' }));
}

/** The script that this page started from. */
function serveEntry(src: string): void {
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', src);
  document.head.append(script);
  onTestFinished(() => script.remove());
}

function Fine({ text }: { text: string }) {
  return <p>{text}</p>;
}

test('shows a widget after the first paint, with its props', async () => {
  const load = vi.fn(async () => Fine);
  const Widget = lazyWidget('Clock', load, 'place');

  render(<Widget text="noon" />);
  expect(document.querySelector('.place')).not.toBeNull();

  expect(await screen.findByText('noon')).toBeDefined();
  expect(load).toHaveBeenCalledOnce();
});

test('shows the given frame until the code arrives', async () => {
  let arrive: (widget: typeof Fine) => void = () => {};
  const code = new Promise<typeof Fine>((resolve) => {
    arrive = resolve;
  });
  const Widget = lazyWidget('Clock', () => code, 'place', { frame: <h2>Clock</h2> });

  render(<Widget text="noon" />);
  expect(screen.getByRole('heading', { name: 'Clock' })).toBeDefined();
  arrive(Fine);

  expect(await screen.findByText('noon')).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Clock' })).toBeNull();
});

test('removes only a widget that throws, reports it, and restores it on request', async () => {
  let isBroken = true;
  const Broken = ({ text }: { text: string }) => {
    if (isBroken) throw new Error('no hands');
    return <p>{text}</p>;
  };
  const Widget = lazyWidget('Clock', async () => Broken, 'place');
  const Other = lazyWidget('Other', async () => Fine, 'other');

  render(
    <>
      <Widget text="noon" />
      <Other text="still here" />
    </>,
  );
  expect(await screen.findByText('We couldn’t show Clock')).toBeDefined();
  expect(screen.getByRole('region', { name: 'Clock' })).toBeDefined();
  expect(screen.getByText('still here')).toBeDefined();
  expect(reported.mock.calls[0]?.[0]).toMatchObject({ message: 'no hands' });

  isBroken = false;
  await reloadPart();
  expect(await screen.findByText('noon')).toBeDefined();
});

const served = (entry: string) => async () => new Response(`<script type="module" src="${entry}"></script>`);

test('loads code again that did not arrive', async () => {
  vi.stubGlobal('fetch', served('/assets/old.js'));
  const load = vi.fn(async () => Fine).mockRejectedValueOnce(new Error('offline'));
  const Widget = lazyWidget('Clock', load, 'place');
  render(<Widget text="noon" />);

  await reloadPart();

  expect(await screen.findByText('noon')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

test('waits for the network with a widget whose code did not arrive, reports no error, and shows it then', async () => {
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
  const load = vi.fn(async () => Fine).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const Widget = lazyWidget('Clock', load, 'place');
  render(<Widget text="noon" />);

  expect(await screen.findByText('You’re offline')).toBeDefined();
  expect(screen.getByText('Clock comes when you’re back.')).toBeDefined();
  expect(load).toHaveBeenCalledOnce();

  line.mockReturnValue(true);
  vi.stubGlobal('fetch', served('/assets/old.js'));
  act(() => void window.dispatchEvent(new Event('online')));

  expect(await screen.findByText('noon')).toBeDefined();
  expect(reported).not.toHaveBeenCalled();
});

test('keeps trying while only the server is unavailable', async () => {
  const fetch = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockImplementation(served('/old.js'));
  vi.stubGlobal('fetch', fetch);
  const load = vi.fn(async () => Fine).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const Widget = lazyWidget('Clock', load, 'place');
  render(<Widget text="noon" />);

  expect(await screen.findByText('We can’t reach Kat')).toBeDefined();
  expect(await screen.findByText('noon', undefined, { timeout: 4000 })).toBeDefined();
});

test.each([
  ['the version before', '/assets/new.js', 'Reload the page'],
  ['the served version', '/assets/old.js', 'Reload this part'],
])('offers a page of %s what helps', async (_what, servedEntry, button) => {
  serveEntry('/assets/old.js');
  const page = `<script type="module" src="${servedEntry}"></script>`;
  vi.stubGlobal('fetch', async () => new Response(page));
  const Widget = lazyWidget('Clock', () => Promise.reject(new Error('404')), 'place');

  render(<Widget />);

  expect(await screen.findByRole('button', { name: button })).toBeDefined();
});

test('reloads the page for code that a browser would not request again', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { ...window.location, reload });
  serveEntry('/assets/old.js');
  vi.stubGlobal('fetch', async () => new Response('<script type="module" src="/assets/old.js"></script>'));
  const Widget = lazyWidget('Clock', () => Promise.reject(new Error('404')), 'place');
  render(<Widget />);

  await reloadPart();

  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('names a widget that waits until its place is near, and shows it in print', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const load = vi.fn(async () => Fine);
  const Widget = lazyWidget('Clock', load, 'place', { arrival: 'near' });
  render(<Widget text="noon" />);

  expect(screen.getByRole('region', { name: 'Clock' }).className).toContain('place');
  await vi.waitFor(async () => {
    await act(async () => void window.dispatchEvent(new Event('beforeprint')));
    expect(screen.getByText('noon')).toBeDefined();
  });

  expect(screen.queryByRole('region', { name: 'Clock' })).toBeNull();
});
