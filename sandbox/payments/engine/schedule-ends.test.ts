import { expect, test } from 'vitest';
import { endSubscription } from './cancelling.ts';
import { scheduleFrom } from './schedules.ts';
import { aSubscriber, BOBCAT, DAY_S, START, type Story } from './testing/customer-fixture.ts';
import { stored } from './work.ts';

const FEBRUARY = Date.parse('2026-02-28T12:00:00Z') / 1000;

function scheduled(story: Story, endBehavior: 'release' | 'cancel'): void {
  story.at(START, (work) => {
    const schedule = scheduleFrom(work, story.subscription());
    work.draft.put('schedules', { ...schedule, endBehavior });
  });
  story.news();
}
const ends = (story: Story) =>
  story.news().filter((type) => type.startsWith('subscription_schedule') || type.endsWith('deleted'));

test('a schedule whose end is the end of the subscription is completed', () => {
  const story = aSubscriber();
  scheduled(story, 'cancel');

  story.until(FEBRUARY);

  expect(story.subscription()).toMatchObject({ status: 'canceled', endedAt: FEBRUARY, schedule: null });
  expect(story.books.list('schedules')).toMatchObject([{ status: 'completed', completedAt: FEBRUARY }]);
  expect(ends(story)).toEqual(['subscription_schedule.completed', 'customer.subscription.deleted']);
});

test('a schedule ends with a subscription that is canceled', () => {
  const story = aSubscriber();
  scheduled(story, 'release');

  story.at(START, (work) => endSubscription(work, story.subscription().id, 'cancellation_requested'));

  expect(ends(story)).toEqual(['subscription_schedule.canceled', 'customer.subscription.deleted']);
});

test('a schedule is aborted when nobody pays', () => {
  const story = aSubscriber(BOBCAT, 'fails_later');
  story.until(FEBRUARY);
  story.at(FEBRUARY, (work) => scheduleFrom(work, stored(work.draft, 'subscriptions', story.subscription().id)));
  story.news();

  story.until(FEBRUARY + 8 * DAY_S);

  expect(ends(story)).toEqual(['subscription_schedule.aborted', 'customer.subscription.deleted']);
});
