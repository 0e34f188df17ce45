import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';
import { SectionTabs, TabSection, useSectionTabs } from './section-tabs.tsx';

const TABS = [
  { id: 'chart', label: 'Chart' },
  { id: 'book', label: 'Book' },
  { id: 'news', label: 'News' },
] as const;

function Sections() {
  const state = useSectionTabs(TABS);
  const { search, hash } = useLocation();
  return (
    <>
      <output>{search + hash}</output>
      <SectionTabs label="Parts" state={state}>
        {TABS.map(({ id }) => (
          <TabSection key={id} id={id}>
            <p>content of {id}</p>
          </TabSection>
        ))}
      </SectionTabs>
    </>
  );
}

function show(address: string, isPhone = true) {
  vi.spyOn(window, 'matchMedia').mockReturnValue(
    Object.assign(new EventTarget(), { matches: isPhone }) as MediaQueryList,
  );
  render(
    <MemoryRouter initialEntries={[address]}>
      <Sections />
    </MemoryRouter>,
  );
}

const selected = () => screen.getAllByRole('tab', { selected: true }).map((tab) => tab.textContent);
const mounted = () => screen.queryAllByText(/^content of/).map((content) => content.textContent);
const address = () => screen.getByRole('status').textContent;

test('mounts a section when its tab is opened, keeps it, and names it in the address', async () => {
  show('/kat?sym=ETH');
  const atFirst = [selected(), mounted()];

  await userEvent.click(screen.getByRole('tab', { name: 'Book' }));

  expect(atFirst).toEqual([['Chart'], ['content of chart']]);
  expect([selected(), mounted()]).toEqual([['Book'], ['content of chart', 'content of book']]);
  expect(address()).toBe('?sym=ETH#book');
  await userEvent.click(screen.getByRole('tab', { name: 'Chart' }));
  expect(address()).toBe('?sym=ETH');
});

test('moves by arrow keys, Home and End, with the focus', async () => {
  show('/kat');
  act(() => screen.getByRole('tab', { name: 'Chart' }).focus());

  const visited: string[] = [];
  for (const key of ['{ArrowRight}', '{ArrowRight}', '{ArrowRight}', '{ArrowLeft}', '{Home}', '{End}']) {
    await userEvent.keyboard(key);
    visited.push(`${selected().join()} ${document.activeElement?.textContent}`);
  }

  expect(visited).toEqual(['Book Book', 'News News', 'Chart Chart', 'News News', 'Chart Chart', 'News News']);
});

test('starts with the section that the address names, whose panel its tab labels', () => {
  show('/kat#news');

  expect([selected(), mounted()]).toEqual([['News'], ['content of news']]);
  expect(screen.getByRole('tab', { name: 'News' }).getAttribute('aria-controls')).toBe('news');
  expect(screen.getByRole('tabpanel', { name: 'News' }).id).toBe('news');
});

test('ignores fragments of other parts of the page', () => {
  show('/kat#main');

  expect([selected(), mounted()]).toEqual([['Chart'], ['content of chart']]);
});

test('shows every section on a wide screen, none of them as a panel', () => {
  show('/kat#news', false);

  expect(mounted()).toEqual(['content of chart', 'content of book', 'content of news']);
  expect(screen.queryByRole('tabpanel')).toBeNull();
});
