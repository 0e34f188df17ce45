/** GET /news/images/<name>.webp: serves a news picture from our own store to anyone who knows its name. */
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { onlyMethods } from '../../platform/http/calls/methods.ts';
import type { NewsPictureStore } from './news-picture-store.ts';

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/;
/** An article's picture never changes; after a take-down it leaves browsers within this time. */
const CACHED_S = 7 * 86_400;

export function newsRoutes({ pictures }: { pictures: Pick<NewsPictureStore, 'get'> }): Hono {
  return new Hono()
    .get('/news/images/:name', async (c) => {
      const name = NAME.exec(c.req.param('name'))?.[1];
      const webp = name === undefined ? null : await pictures.get(name);
      if (webp === null) throw new AppError('request/not-found');
      return c.body(webp, 200, {
        'content-type': 'image/webp',
        'cache-control': `public, max-age=${CACHED_S}, immutable`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
    })
    .all('/news/images/:name', onlyMethods('GET', 'HEAD'));
}
