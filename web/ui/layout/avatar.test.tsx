import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

const OWN = '/storage/v1/object/public/avatars/11111111-1111-4111-8111-111111111111/1.webp';

test('requests a picture of ours at our own origin, whatever origin it was saved under', () => {
  const { container } = render(<Avatar url={`https://other.example${OWN}`} name="Ada" />);

  expect(container.querySelector('img')?.getAttribute('src')).toBe(OWN);
});

test.each([null, 'https://lh3.example.com/a/picture=s96-c', 'javascript:alert(1)'])(
  'shows the initial for %s, without a request',
  (url) => {
    const { container } = render(<Avatar url={url} name="ada" />);

    expect(container.querySelector('img')).toBeNull();
    expect(container.textContent).toBe('A');
  },
);

test('shows the initial for a picture that does not load', () => {
  const { container } = render(<Avatar url={OWN} name="Ada" />);

  fireEvent.error(container.querySelector('img') as HTMLImageElement);

  expect(container.textContent).toBe('A');
});
