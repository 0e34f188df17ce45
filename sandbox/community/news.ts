import { answerNews } from './news-feeds.ts';
import type { CommunityService } from './service.ts';

export function news(): CommunityService {
  return {
    name: 'news',
    answer: ({ path, headers, nowMs }) =>
      answerNews(`/news${path}`, headers, nowMs) ?? { status: 404, body: { error: 'Not found' } },
  };
}
