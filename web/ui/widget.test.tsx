import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { lazyWidget } from './widget.tsx';

const reported = vi.fn();

beforeEach(() => {
  reported.mockReset();
  vi.stubGlobal('reportError', reported);
  // React logs caught errors to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

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
  const Widget = lazyWidget('Clock', () => code, 'place', <h2>Clock</h2>);

  render(<Widget text="noon" />);
  expect(screen.getByRole('heading', { name: 'Clock' })).toBeDefined();
  arrive(Fine);

  expect(await screen.findByText('noon')).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Clock' })).toBeNull();
});

test('removes only a widget that throws, reports it, and restores it on Retry', async () => {
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
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('noon')).toBeDefined();
});

test('loads code again that did not arrive', async () => {
  const load = vi.fn(async () => Fine).mockRejectedValueOnce(new Error('offline'));
  const Widget = lazyWidget('Clock', load, 'place');
  render(<Widget text="noon" />);

  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('noon')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

test('keeps the page while the server is unavailable, and the widget says so again', async () => {
  const load = vi.fn<() => Promise<typeof Fine>>().mockRejectedValue(new Error('offline'));
  const fetched = vi.fn().mockRejectedValue(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', fetched);
  const Widget = lazyWidget('Clock', load, 'place');
  render(<Widget text="noon" />);

  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));

  const checks = () => fetched.mock.calls.filter(([, options]) => options?.method === 'HEAD');
  await vi.waitFor(() => expect(checks()).toHaveLength(1));
  expect(await screen.findByText('We couldn’t show Clock')).toBeDefined();
});
