/** Written by `npm run release -- client-types` from the OpenAPI document with the SHA-256 caa099d5dfc2d6ac5fc2cb09681ddbc146816fbf20b2d4c99b262404bcdfef36. */

export type paths = {
  '/markets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Markets by code or name
     * @description Same as /markets, which needs no key. `sym` of an answer is what the other routes take. At most 100 (default 20).
     */
    get: operations['markets'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/forecasts/latest': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Newest forecast of a market, with its candles
     * @description Returns the last real candles, one drawn path, and the bands at all 50 candles. The forecast of BTCUSDT.P by bobcat for one-minute candles is open to every key, and the default. Any other one must be in your plan, and you must have opened it on the site: a key never uses up a prediction. A forecast says how far the price may move, not in which direction. It is no advice to buy or sell.
     */
    get: operations['latestForecast'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/forecasts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One forecast with its outcome
     * @description `id` is a number of the public record, with or without the start of its hash as in the address of its page (/f/12-0a1b2c3d4e5f), or the id of one of your saved predictions. A prediction that someone shared is at /f/TOKEN.json, without a key. A record is sealed until its last candle has closed: until then only its hash, key and time are returned. A forecast says how far the price may move, not in which direction. It is no advice to buy or sell.
     */
    get: operations['forecast'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/bands': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Bands of the newest forecast of a market
     * @description As /forecasts/latest, without candles. The forecast of BTCUSDT.P by bobcat for one-minute candles is open to every key, and the default. Any other one must be in your plan, and you must have opened it on the site: a key never uses up a prediction. A forecast says how far the price may move, not in which direction. It is no advice to buy or sell.
     */
    get: operations['bands'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/chances': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Chance that something happens to a price
     * @description Same as /chances. `kind` names the question. For `above`, `below` and `touch`, send `price` and `bar` (1 to 50). For `outside`, send `lower`, `upper` and `bar`. For `first`, send `target`, `stop` and `bar`. For `window`, send `minutes` (5, 15 or 60): the running clock window ends above its open. For `line`, send `price`: above and touch at every bar. Each chance has that of a simple baseline beside it. BTCUSDT.P by bobcat for one-minute candles is open to every key, and the default. Others need a plan with that model and predictions left, or the forecast opened on the site. A question takes no prediction. A forecast says how far the price may move, not in which direction. It is no advice to buy or sell.
     */
    get: operations['chances'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/chances/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Chances of the running windows as they change (server-sent events)
     * @description Streams the running windows of 5, 15 and 60 minutes, at most four frames a second. Each frame is whole, so nothing needs to be resumed. A stream ends after ten minutes: open it again. Three may be open per key. BTCUSDT.P by bobcat for one-minute candles is open to every key, and the default. Others need a plan with that model and predictions left, or the forecast opened on the site. A question takes no prediction.
     */
    get: operations['liveChances'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/candles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Closed candles of a market, oldest first
     * @description Returns the newest candles, at most 500 per page (default 100). Pass `next` as `cursor` to get the page before; it is null where the stored candles begin, about a day back for one-minute candles. `sym` is required. `market` says whether the prices are live, replayed or simulated.
     */
    get: operations['candles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/watchlist': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your watchlist, in your order
     * @description At most fifty pairs of market and candle length.
     */
    get: operations['watchlist'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Events as they happen (server-sent events)
     * @description Streams `ready` first, then `forecast-issued` when a forecast enters the public record, and `outcome-known` when a record or one of your saved predictions is scored. Each event has an id. After a broken connection, send the last one as `Last-Event-ID` (browsers do): the stream continues after it, for at least a day. Outcomes come ten seconds after they are known, so that none is missed. If more was missed than is stored, `ready` says until when. After a break, one of your own outcomes may come twice. A revoked key ends the stream with an unnamed message `{error, code}`. Three streams may be open per key and process.
     */
    get: operations['events'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/records': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Records with their outcomes, oldest first
     * @description Returns records issued from `from` up to but not including `to`, by our clock. If only one is given, the other is a day away; if neither, the last day. At most 31 days per request and 1,000 records per page (default 100). Pass `next` as `cursor`, with the same parameters, to get the next page; it is null on the last page. `hash` is the SHA-256 of `text`, and `record` is the parsed text. `market` defaults to this site's own, and `tf` to one minute: records of 5 and 15 minutes have separate pages. A record is sealed until its bar 50 has closed: until then `sealed` has its hash, key and time, and its text and score are null. Prices are natural logarithms of the price over the last close, in millionths (1e-6), as whole numbers. Volatilities and CRPS are in 1e-8.
     */
    get: operations['records'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/records.csv': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Records as CSV
     * @description Returns records issued from `from` up to but not including `to`, by our clock. If only one is given, the other is a day away; if neither, the last day. At most one day per request. One row per record and scored bar; the header names the units. Same format as /record/days/DAY.csv, which needs no key and has no filter but `tf`. If a response is interrupted, its connection closes before the last chunk.
     */
    get: operations['recordsCsv'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Summary of the record, each figure with its interval
     * @description Same as /record/summary.json, which needs no key. Shares and skills are fractions of 1. `period` defaults to 7d, and `tf` to one minute.
     */
    get: operations['summary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/chance-records': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Recorded chances with their outcomes, oldest first
     * @description Returns records issued from `from` up to but not including `to`, by our clock. If only one is given, the other is a day away; if neither, the last day. Pages, `hash`, `text` and `record` are those of /records. `window` is 5 (default) or 15 minutes. A chance is sealed until its window has closed. Chances are in millionths, scores in 1e-8.
     */
    get: operations['chanceRecords'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/chance-summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Summary of recorded chances, with scores, reliability and intervals
     * @description Same as /record/chances.json, which needs no key. Shares and skills are fractions of 1. `period` defaults to 7d, and `window` to 5 minutes.
     */
    get: operations['chanceSummary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/predictions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your saved predictions, newest first
     * @description Returns predictions saved from `from` up to but not including `to`, or all of them without either. At most 50 per page (default 20). `next` works as for records. Score errors are in basis points of the logarithm.
     */
    get: operations['predictions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/predictions.csv': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your saved predictions as CSV
     * @description One row per candle: history, forecast and outcome. Values that a spreadsheet would read as a formula start with an apostrophe.
     */
    get: operations['predictionsCsv'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your key and its remaining limits
     * @description This request counts towards the limits too.
     */
    get: operations['me'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
};
export type components = {
  schemas: never;
  responses: {
    /**
     * @description `request/invalid`: The request is invalid.
     *     `api/key-in-address`: Never put an API key in a URL: browser histories and logs store it. Revoke this key, and send the next one in the Authorization: Bearer header.
     *     `market/unknown-symbol`: We don’t support this symbol.
     */
    Refusal400: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'request/invalid' | 'api/key-in-address' | 'market/unknown-symbol';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /**
     * @description `api/no-key`: This request needs an API key in the Authorization: Bearer header. Create one under Account, Security.
     *     `api/bad-key`: This API key isn’t valid on this site.
     *     `api/key-revoked`: This API key was revoked.
     *     `api/key-expired`: This API key has expired. Create a new one.
     */
    Refusal401: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'api/no-key' | 'api/bad-key' | 'api/key-revoked' | 'api/key-expired';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /**
     * @description `api/key-too-weak`: This key was created before the account had a second factor. Create a new one.
     *     `auth/forbidden`: You don’t have permission to do this.
     *     `forecast/model-locked`: Your plan does not include this model.
     *     `forecast/not-opened`: You haven’t opened this forecast. Open it on the site first: that uses one prediction of your plan.
     *     `quota/daily-spent`: No predictions left today.
     *     `quota/monthly-spent`: No predictions left this month.
     */
    Refusal403: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code:
            | 'api/key-too-weak'
            | 'auth/forbidden'
            | 'forecast/model-locked'
            | 'forecast/not-opened'
            | 'quota/daily-spent'
            | 'quota/monthly-spent';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /** @description `request/not-found`: Not found. */
    Refusal404: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'request/not-found';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /** @description `request/method-not-allowed`: This method is not allowed here. */
    Refusal405: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'request/method-not-allowed';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /**
     * @description `market/closed`: This market is closed right now.
     *     `market/delisted`: This product was delisted, so it has no prices and no forecasts.
     *     `market/halted`: Trading in this product is halted. Try again when it trades.
     *     `market/too-few-candles`: Not enough candles for a forecast yet.
     *     `chances/refused`: There is no chance for this question right now. The details say why.
     */
    Refusal409: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'market/closed' | 'market/delisted' | 'market/halted' | 'market/too-few-candles' | 'chances/refused';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /** @description `request/wrong-host`: This site isn’t available at that host name. */
    Refusal421: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'request/wrong-host';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /** @description `request/too-many`: Too many requests */
    Refusal429: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'request/too-many';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /** @description `internal`: Something went wrong on our side. */
    Refusal500: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code: 'internal';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
    /**
     * @description `venue/unavailable`: Market data is not available right now.
     *     `venue/not-connected`: No price source is connected for this symbol.
     *     `forecast/not-trained`: This model is not trained yet.
     *     `forecast/failed`: We couldn’t make the forecast. Nothing was charged.
     *     `database/busy`: The database is busy. Please try again.
     *     `database/full`: We can’t save anything right now. Please try again later.
     *     `database/unavailable`: The database is restarting. Please try again.
     */
    Refusal503: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': {
          /** @description A message for people. Its wording may change. */
          error: string;
          /** @enum {string} */
          code:
            | 'venue/unavailable'
            | 'venue/not-connected'
            | 'forecast/not-trained'
            | 'forecast/failed'
            | 'database/busy'
            | 'database/full'
            | 'database/unavailable';
          /** @description The parameter at fault, the seconds to wait, or the window that is used up. */
          details?: Record<string, never>;
        };
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Points (`q`) and length in seconds (`w`) of each window, such as `"minute";q=60;w=60, "day";q=5000;w=86400`. */
    'RateLimit-Policy': string;
    /** @description Points left (`r`) and seconds until they are restored (`t`) in each window, such as `"minute";r=59;t=60`. */
    RateLimit: string;
    /** @description Names this answer; see If-None-Match. */
    ETag: string;
    /** @description Point limit of the window with fewer points left. */
    'RateLimit-Limit': number;
    /** @description Points left in that window after this response. */
    'RateLimit-Remaining': number;
    /** @description Seconds until that window resets. */
    'RateLimit-Reset': number;
    /** @description Seconds to wait before retrying. */
    'Retry-After': number;
  };
  pathItems: never;
};
export interface operations {
  markets: {
    parameters: {
      query?: {
        query?: string;
        limit?: number;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Markets by code or name */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            markets: {
              label: string;
              exc: string;
              sym: string;
              base: string;
              quote: string;
              name: string;
              /** @enum {string} */
              kind: 'perpetual' | 'spot' | 'share' | 'future';
              /** @enum {string} */
              status: 'trading' | 'halted' | 'delisted';
              exchanges: string[];
              tickSize: number;
              /** @default null */
              bookProductId: string | null;
              listedAtS: number | null;
              isNew: boolean;
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  latestForecast: {
    parameters: {
      query?: {
        sym?: string;
        model?: 'bobcat' | 'panther' | 'lion';
        tf?: '1min' | '5min' | '15min';
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Newest forecast of a market, with its candles */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            symbol: string;
            /** @enum {string} */
            model: 'bobcat' | 'panther' | 'lion';
            modelVersion: string | null;
            /**
             * @description Length of one candle
             * @enum {string}
             */
            timeframe: '1min' | '5min' | '15min';
            /** @description Kind of prices: live, replayed from the past, or simulated */
            market: ('live' | 'replayed' | 'simulated') | null;
            /** Format: date-time */
            issuedAt: string;
            label: string;
            /**
             * @description Why you may read it: it is public, you opened it on the site, or you are an admin
             * @enum {string}
             */
            access: 'public' | 'opened' | 'admin';
            lastClose: number;
            /** Format: date-time */
            firstBarOpensAt: string;
            /** @description null: a saved prediction stored none */
            releases: {
              /** @description Scheduled releases within the forecast that widen its bands */
              list: {
                /** Format: date-time */
                at: string;
                kind: string;
                title: string;
                name: string;
              }[];
              /** @description How many times wider they make the band at the last bar; 1 without any */
              widthFactor: number;
              /** @description false: the calendar could not be read, so that the bands may not know of a release */
              isComplete: boolean;
            } | null;
            bands: {
              /** @description Number of the forecast candle, from 1 to 50 */
              bar: number;
              /** Format: date-time */
              closesAt: string;
              /** @description The model expects 80% of closes of this candle between lower80 and upper80 */
              lower80: number;
              upper80: number;
              lower95: number;
              upper95: number;
            }[];
            history: {
              /** Format: date-time */
              time: string;
              open: number;
              high: number;
              low: number;
              close: number;
              volume?: number;
            }[];
            path: {
              /** Format: date-time */
              time: string;
              open: number;
              high: number;
              low: number;
              close: number;
              volume?: number;
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  forecast: {
    parameters: {
      query?: never;
      header?: {
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One forecast with its outcome */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            symbol: string;
            /** @enum {string} */
            model: 'bobcat' | 'panther' | 'lion';
            modelVersion: string | null;
            /**
             * @description Length of one candle
             * @enum {string}
             */
            timeframe: '1min' | '5min' | '15min';
            /** @description Kind of prices: live, replayed from the past, or simulated */
            market: ('live' | 'replayed' | 'simulated') | null;
            /** Format: date-time */
            issuedAt: string;
            id: string;
            /**
             * @description The site's public record, or your own saved predictions
             * @enum {string}
             */
            owner: 'house' | 'you';
            /**
             * @description sealed: content not public yet. waiting: outcome not known yet. void: not scored
             * @enum {string}
             */
            state: 'sealed' | 'waiting' | 'known' | 'void';
            voidReason: string | null;
            /** @description Moment at which a sealed forecast becomes readable */
            opensAt: string | null;
            /** @description SHA-256 of the text in the public record, published at issue */
            hash: string | null;
            lastClose: number | null;
            bands: {
              /** @description Number of the forecast candle, from 1 to 50 */
              bar: number;
              /** Format: date-time */
              closesAt: string;
              /** @description The model expects 80% of closes of this candle between lower80 and upper80 */
              lower80: number;
              upper80: number;
              lower95: number;
              upper95: number;
            }[];
            outcome: {
              bar: number;
              close: number;
              isInside80: boolean | null;
              isInside95: boolean | null;
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  bands: {
    parameters: {
      query?: {
        sym?: string;
        model?: 'bobcat' | 'panther' | 'lion';
        tf?: '1min' | '5min' | '15min';
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Bands of the newest forecast of a market */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            symbol: string;
            /** @enum {string} */
            model: 'bobcat' | 'panther' | 'lion';
            modelVersion: string | null;
            /**
             * @description Length of one candle
             * @enum {string}
             */
            timeframe: '1min' | '5min' | '15min';
            /** @description Kind of prices: live, replayed from the past, or simulated */
            market: ('live' | 'replayed' | 'simulated') | null;
            /** Format: date-time */
            issuedAt: string;
            label: string;
            /**
             * @description Why you may read it: it is public, you opened it on the site, or you are an admin
             * @enum {string}
             */
            access: 'public' | 'opened' | 'admin';
            lastClose: number;
            /** Format: date-time */
            firstBarOpensAt: string;
            /** @description null: a saved prediction stored none */
            releases: {
              /** @description Scheduled releases within the forecast that widen its bands */
              list: {
                /** Format: date-time */
                at: string;
                kind: string;
                title: string;
                name: string;
              }[];
              /** @description How many times wider they make the band at the last bar; 1 without any */
              widthFactor: number;
              /** @description false: the calendar could not be read, so that the bands may not know of a release */
              isComplete: boolean;
            } | null;
            bands: {
              /** @description Number of the forecast candle, from 1 to 50 */
              bar: number;
              /** Format: date-time */
              closesAt: string;
              /** @description The model expects 80% of closes of this candle between lower80 and upper80 */
              lower80: number;
              upper80: number;
              lower95: number;
              upper95: number;
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  chances: {
    parameters: {
      query: {
        sym?: string;
        model?: 'bobcat' | 'panther' | 'lion';
        tf?: '1min' | '5min' | '15min';
        kind: 'window' | 'above' | 'below' | 'touch' | 'outside' | 'first' | 'line';
        minutes?: '5' | '15' | '60';
        price?: string;
        lower?: string;
        upper?: string;
        target?: string;
        stop?: string;
        bar?: string;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Chance that something happens to a price */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                symbol: string;
                /** @enum {string} */
                model: 'bobcat' | 'panther' | 'lion';
                /** @enum {string} */
                timeframe: '1min' | '5min' | '15min';
                modelVersion: string;
                /** @enum {string} */
                marketKind: 'live' | 'replayed' | 'simulated';
                t0: number;
                asOf: string;
                price: number;
                question:
                  | {
                      /** @constant */
                      kind: 'window';
                      /** @enum {number} */
                      minutes: 5 | 15 | 60;
                      openAt: string;
                      endAt: string;
                      open: number;
                    }
                  | {
                      /** @enum {string} */
                      kind: 'above' | 'below' | 'touch';
                      price: number;
                      bar: number;
                    }
                  | {
                      /** @constant */
                      kind: 'outside';
                      lower: number;
                      upper: number;
                      bar: number;
                    }
                  | {
                      /** @constant */
                      kind: 'first';
                      target: number;
                      stop: number;
                      bar: number;
                    };
                chance: number;
                baseline: number;
                /** @enum {string} */
                by: 'quantiles' | 'paths';
                similar: {
                  count: number;
                  happened: number;
                } | null;
                missingMinutes: number;
                neither?: number;
                baselineNeither?: number;
              }
            | {
                symbol: string;
                /** @enum {string} */
                model: 'bobcat' | 'panther' | 'lion';
                /** @enum {string} */
                timeframe: '1min' | '5min' | '15min';
                modelVersion: string;
                /** @enum {string} */
                marketKind: 'live' | 'replayed' | 'simulated';
                t0: number;
                asOf: string;
                price: number;
                question: {
                  /** @constant */
                  kind: 'line';
                  price: number;
                };
                above: (number | null)[];
                aboveBaseline: (number | null)[];
                touch: (number | null)[];
                touchBaseline: (number | null)[];
              };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  liveChances: {
    parameters: {
      query?: {
        sym?: string;
        model?: 'bobcat' | 'panther' | 'lion';
        tf?: '1min' | '5min' | '15min';
      };
      header?: {
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Chances of the running windows as they change (server-sent events) */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  candles: {
    parameters: {
      query: {
        sym: string;
        tf?: '1min' | '5min' | '15min';
        cursor?: string;
        limit?: number;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Closed candles of a market, oldest first */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            symbol: string;
            /** @enum {string} */
            timeframe: '1min' | '5min' | '15min';
            /** @enum {string} */
            market: 'live' | 'replayed' | 'simulated';
            venue: string;
            attribution: string;
            delayS: number;
            isOpen: boolean;
            isStale: boolean;
            candles: {
              /** Format: date-time */
              time: string;
              open: number;
              high: number;
              low: number;
              close: number;
              volume?: number;
            }[];
            next: string | null;
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  watchlist: {
    parameters: {
      query?: never;
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Your watchlist, in your order */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            pairs: {
              sym: string;
              /** @enum {string} */
              timeframe: '1min' | '5min' | '15min';
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  events: {
    parameters: {
      query?: {
        sym?: string;
        model?: 'bobcat' | 'panther' | 'lion';
        tf?: '1min' | '5min' | '15min';
      };
      header?: {
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Events as they happen (server-sent events) */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  records: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        sym?:
          | 'BTCUSDT.P'
          | 'ETHUSDT.P'
          | 'SOLUSDT.P'
          | 'DOGEUSDT.P'
          | 'MSFT'
          | 'AAPL'
          | 'TSLA'
          | 'GC1!'
          | 'DX1!'
          | 'CL1!';
        model?: 'bobcat' | 'panther' | 'lion';
        role?: 'serving' | 'shadow';
        market?: 'live' | 'replayed' | 'simulated';
        tf?: '1min' | '5min' | '15min';
        cursor?: string;
        limit?: number;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Records with their outcomes, oldest first */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            market: 'live' | 'replayed' | 'simulated';
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            records: {
              hash: string;
              text: string | null;
              record: {
                /** @enum {number} */
                v: 1 | 2;
                seq: number;
                slot: number;
                /** @enum {string} */
                tf?: '5min' | '15min';
                issued: number;
                sym: string;
                /** @enum {string} */
                model: 'bobcat' | 'panther' | 'lion';
                version: string;
                weights: string;
                /** @enum {string} */
                role: 'serving' | 'shadow';
                /** @enum {string} */
                market: 'live' | 'replayed' | 'simulated';
                input: string;
                close: string;
                upper: number[][];
                bands: [number[], number[]];
                path: number[];
                document: string;
                rv: number;
                range: number;
                ewma: number;
                har: number[];
                baseline: string;
                prev: string;
              } | null;
              sealed?: {
                seq: number;
                slot: number;
                /** @enum {string} */
                tf?: '5min' | '15min';
                /** @enum {number} */
                window?: 5 | 15;
                issued: number;
                sym: string;
                /** @enum {string} */
                model: 'bobcat' | 'panther' | 'lion';
                version: string;
                /** @enum {string} */
                role: 'serving' | 'shadow';
                /** @enum {string} */
                market: 'live' | 'replayed' | 'simulated';
                hash: string;
              };
              /** @enum {string} */
              state: 'sealed' | 'waiting' | 'known' | 'void';
              voidReason: ('candles-missing' | 'venue-changed' | 'market-closed' | 'candles-gone') | null;
              score: {
                actual: number[];
                crps: {
                  shown: number[];
                  model: number[];
                  ewma: number[];
                  har: number[];
                };
                inside: {
                  shown80: boolean[];
                  shown95: boolean[];
                  model80: boolean[];
                  model95: boolean[];
                };
                pit: number[];
                isCopy: boolean[];
                rv: number;
                range: number;
              } | null;
            }[];
            next: string | null;
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  recordsCsv: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        sym?:
          | 'BTCUSDT.P'
          | 'ETHUSDT.P'
          | 'SOLUSDT.P'
          | 'DOGEUSDT.P'
          | 'MSFT'
          | 'AAPL'
          | 'TSLA'
          | 'GC1!'
          | 'DX1!'
          | 'CL1!';
        model?: 'bobcat' | 'panther' | 'lion';
        role?: 'serving' | 'shadow';
        market?: 'live' | 'replayed' | 'simulated';
        tf?: '1min' | '5min' | '15min';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Records as CSV */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
        };
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  summary: {
    parameters: {
      query?: {
        period?: '7d' | '30d' | '90d' | '365d';
        market?: 'live' | 'replayed' | 'simulated';
        tf?: '1min' | '5min' | '15min';
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Summary of the record, each figure with its interval */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            market: 'live' | 'replayed' | 'simulated';
            /** @enum {string} */
            tf?: '5min' | '15min';
            /** @enum {string} */
            period: '7d' | '30d' | '90d' | '365d';
            computedMs: number;
            fromS: number;
            firstMs: number | null;
            lastMs: number | null;
            counts: {
              expected: number;
              issued: number;
              known: number;
              void: number;
              waiting: number;
            };
            voidReasons: {
              [key: string]: number;
            };
            /** @default {} */
            missReasons: {
              [key: string]: number;
            };
            models: {
              /** @enum {string} */
              model: 'bobcat' | 'panther' | 'lion';
              /** @enum {string} */
              role: 'serving' | 'shadow';
              versions: string[];
              all: {
                n: number;
                blocks: number;
                skillEwma: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillHar: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillLastClose: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                cover80: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                cover95: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                modelCover80: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                modelCover95: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
              };
              bars: {
                /** @enum {number} */
                bar: 1 | 5 | 15 | 30 | 50;
                figures: {
                  n: number;
                  blocks: number;
                  skillEwma: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                  skillHar: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                  skillLastClose: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                  cover80: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                  cover95: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                  modelCover80: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                  modelCover95: {
                    value: number;
                    interval: [number, number] | null;
                  } | null;
                };
              }[];
              pit: number[];
              rvError: {
                model: number;
                ewma: number;
              } | null;
              rangeError: {
                model: number;
                ewma: number;
              } | null;
              bandFactor: {
                p80: number;
                p95: number;
              };
              copyShare: number | null;
              /** @enum {string} */
              copyVerdict: 'repeats' | 'moves' | 'unknown';
            }[];
            bySymbol: {
              sym: string;
              /** @enum {string} */
              model: 'bobcat' | 'panther' | 'lion';
              figures: {
                n: number;
                blocks: number;
                skillEwma: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillHar: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillLastClose: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                cover80: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                cover95: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                modelCover80: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                modelCover95: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
              };
            }[];
            /** @default [] */
            byRelease: {
              /** @enum {string} */
              kind:
                | 'fed-statement'
                | 'inflation'
                | 'jobs'
                | 'fed-press-conference'
                | 'pce'
                | 'ppi'
                | 'retail-sales'
                | 'ism'
                | 'gdp'
                | 'claims'
                | 'us-other'
                | 'central-bank'
                | 'foreign'
                | 'speech';
              releases: number;
              bars: {
                /** @enum {number} */
                bar: 1 | 5 | 15 | 30 | 50;
                n: number;
                cover80: number;
                cover95: number;
              }[];
            }[];
            byWeek: {
              weekS: number;
              /** @enum {string} */
              model: 'bobcat' | 'panther' | 'lion';
              figures: {
                n: number;
                blocks: number;
                skillEwma: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillHar: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillLastClose: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                cover80: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                cover95: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                modelCover80: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                modelCover95: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
              };
            }[];
            latest: {
              seq: number;
              issuedMs: number;
              slot: number;
              /** @enum {string} */
              tf?: '5min' | '15min';
              sym: string;
              /** @enum {string} */
              model: 'bobcat' | 'panther' | 'lion';
              close: string;
              /** @enum {string} */
              state: 'waiting' | 'known' | 'void';
              voidReason: ('candles-missing' | 'venue-changed' | 'market-closed' | 'candles-gone') | null;
              pathBp: number[];
              band80Bp: number[];
              band95Bp: number[];
              actualBp: number[] | null;
            }[];
            /** @default 0 */
            sealed: number;
            best: {
              seq: number;
              issuedMs: number;
              slot: number;
              /** @enum {string} */
              tf?: '5min' | '15min';
              sym: string;
              /** @enum {string} */
              model: 'bobcat' | 'panther' | 'lion';
              close: string;
              /** @enum {string} */
              state: 'waiting' | 'known' | 'void';
              voidReason: ('candles-missing' | 'venue-changed' | 'market-closed' | 'candles-gone') | null;
              pathBp: number[];
              band80Bp: number[];
              band95Bp: number[];
              actualBp: number[] | null;
            }[];
            worst: {
              seq: number;
              issuedMs: number;
              slot: number;
              /** @enum {string} */
              tf?: '5min' | '15min';
              sym: string;
              /** @enum {string} */
              model: 'bobcat' | 'panther' | 'lion';
              close: string;
              /** @enum {string} */
              state: 'waiting' | 'known' | 'void';
              voidReason: ('candles-missing' | 'venue-changed' | 'market-closed' | 'candles-gone') | null;
              pathBp: number[];
              band80Bp: number[];
              band95Bp: number[];
              actualBp: number[] | null;
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  chanceRecords: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        sym?:
          | 'BTCUSDT.P'
          | 'ETHUSDT.P'
          | 'SOLUSDT.P'
          | 'DOGEUSDT.P'
          | 'MSFT'
          | 'AAPL'
          | 'TSLA'
          | 'GC1!'
          | 'DX1!'
          | 'CL1!';
        market?: 'live' | 'replayed' | 'simulated';
        window?: '5' | '15';
        cursor?: string;
        limit?: number;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Recorded chances with their outcomes, oldest first */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            market: 'live' | 'replayed' | 'simulated';
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            records: {
              hash: string;
              text: string | null;
              record: {
                /** @constant */
                v: 3;
                seq: number;
                slot: number;
                /** @enum {number} */
                window: 5 | 15;
                issued: number;
                sym: string;
                /** @enum {string} */
                model: 'bobcat' | 'panther' | 'lion';
                version: string;
                weights: string;
                /** @enum {string} */
                role: 'serving' | 'shadow';
                /** @enum {string} */
                market: 'live' | 'replayed' | 'simulated';
                venue: string;
                input: string;
                open: string;
                close: string;
                chance: number;
                baseline: number;
                ewma: number;
                calibration: string;
                salt: string;
                prev: string;
              } | null;
              sealed?: {
                seq: number;
                slot: number;
                /** @enum {string} */
                tf?: '5min' | '15min';
                /** @enum {number} */
                window?: 5 | 15;
                issued: number;
                sym: string;
                /** @enum {string} */
                model: 'bobcat' | 'panther' | 'lion';
                version: string;
                /** @enum {string} */
                role: 'serving' | 'shadow';
                /** @enum {string} */
                market: 'live' | 'replayed' | 'simulated';
                hash: string;
              };
              /** @enum {string} */
              state: 'sealed' | 'waiting' | 'known' | 'void';
              voidReason: ('candles-missing' | 'venue-changed' | 'market-closed' | 'candles-gone') | null;
              score: {
                end: string;
                isAbove: boolean;
                brier: {
                  model: number;
                  baseline: number;
                };
                log: {
                  model: number;
                  baseline: number;
                };
              } | null;
            }[];
            next: string | null;
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  chanceSummary: {
    parameters: {
      query?: {
        period?: '7d' | '30d' | '90d' | '365d';
        market?: 'live' | 'replayed' | 'simulated';
        window?: '5' | '15';
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Summary of recorded chances, with scores, reliability and intervals */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            market: 'live' | 'replayed' | 'simulated';
            /** @enum {number} */
            window: 5 | 15;
            /** @enum {string} */
            model: 'bobcat' | 'panther' | 'lion';
            /** @enum {string} */
            period: '7d' | '30d' | '90d' | '365d';
            computedMs: number;
            fromS: number;
            firstS: number | null;
            lastS: number | null;
            counts: {
              expected: number;
              issued: number;
              known: number;
              void: number;
              waiting: number;
            };
            voidReasons: {
              [key: string]: number;
            };
            missReasons: {
              [key: string]: number;
            };
            all: {
              n: number;
              blocks: number;
              brier: number | null;
              brierBaseline: number | null;
              log: number | null;
              logBaseline: number | null;
              skillBrier: {
                value: number;
                interval: [number, number] | null;
              } | null;
              skillLog: {
                value: number;
                interval: [number, number] | null;
              } | null;
            };
            byMinute: {
              minute: number;
              figures: {
                n: number;
                blocks: number;
                brier: number | null;
                brierBaseline: number | null;
                log: number | null;
                logBaseline: number | null;
                skillBrier: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillLog: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
              };
            }[];
            bySymbol: {
              sym: string;
              figures: {
                n: number;
                blocks: number;
                brier: number | null;
                brierBaseline: number | null;
                log: number | null;
                logBaseline: number | null;
                skillBrier: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillLog: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
              };
            }[];
            byWeek: {
              weekS: number;
              figures: {
                n: number;
                blocks: number;
                brier: number | null;
                brierBaseline: number | null;
                log: number | null;
                logBaseline: number | null;
                skillBrier: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
                skillLog: {
                  value: number;
                  interval: [number, number] | null;
                } | null;
              };
            }[];
            deciles: {
              count: number;
              chance: number | null;
              happened: {
                value: number;
                interval: [number, number] | null;
              } | null;
            }[];
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  predictions: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        cursor?: string;
        limit?: number;
      };
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Your saved predictions, newest first */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            predictions: {
              /** Format: uuid */
              id: string;
              coin: string;
              timeframe: string;
              model: string;
              savedAt: string;
              history: {
                /** Format: date-time */
                time: string;
                open: number;
                high: number;
                low: number;
                close: number;
                volume?: number;
              }[];
              forecast: {
                /** Format: date-time */
                time: string;
                open: number;
                high: number;
                low: number;
                close: number;
                volume?: number;
              }[];
              candles?: {
                /** Format: date-time */
                time: string;
                open: number;
                high: number;
                low: number;
                close: number;
                volume?: number;
              }[];
              band: {
                lower80: number[];
                upper80: number[];
                lower95: number[];
                upper95: number[];
              } | null;
              releases: {
                /** @description Scheduled releases within the forecast that widen its bands */
                list: {
                  /** Format: date-time */
                  at: string;
                  kind: string;
                  title: string;
                  name: string;
                }[];
                /** @description How many times wider they make the band at the last bar; 1 without any */
                widthFactor: number;
                /** @description false: the calendar could not be read, so that the bands may not know of a release */
                isComplete: boolean;
              } | null;
              outcome:
                | (
                    | {
                        /** @constant */
                        state: 'waiting';
                        dueAt: string;
                      }
                    | {
                        /** @constant */
                        state: 'known';
                        dueAt: string;
                        /** @enum {string} */
                        marketKind: 'live' | 'replayed' | 'simulated';
                        candles: {
                          /** Format: date-time */
                          time: string;
                          open: number;
                          high: number;
                          low: number;
                          close: number;
                          volume?: number;
                        }[];
                        score: {
                          path: {
                            maeBp: number;
                            rmseBp: number;
                            atBarBp: {
                              1: number;
                              5: number;
                              15: number;
                              30: number;
                              50: number;
                            };
                          };
                          lastClose: {
                            maeBp: number;
                            rmseBp: number;
                            atBarBp: {
                              1: number;
                              5: number;
                              15: number;
                              30: number;
                              50: number;
                            };
                          };
                          highMaeBp: number;
                          lowMaeBp: number;
                          rangeBp: {
                            path: number;
                            outcome: number;
                          };
                          insideShare: number;
                          sameSideShare: number | null;
                        };
                      }
                    | {
                        /** @constant */
                        state: 'void';
                        dueAt: string;
                        /** @enum {string} */
                        reason: 'market-closed' | 'candles-missing' | 'candles-gone' | 'other-market' | 'unreadable';
                      }
                  )
                | null;
            }[];
            next: string | null;
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  predictionsCsv: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Your saved predictions as CSV */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/csv': string;
        };
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
  me: {
    parameters: {
      query?: never;
      header?: {
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Your key and its remaining limits */
      200: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            key: {
              name: string;
              prefix: string;
              /** Format: date-time */
              createdAt: string;
              expiresAt: string | null;
            };
            limits: {
              minute: {
                limit: number;
                left: number;
                resetS: number;
              };
              day: {
                limit: number;
                left: number;
                resetS: number;
              };
            };
          };
        };
      };
      /** @description Unchanged: no body. */
      304: {
        headers: {
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Refusal400'];
      401: components['responses']['Refusal401'];
      403: components['responses']['Refusal403'];
      404: components['responses']['Refusal404'];
      405: components['responses']['Refusal405'];
      409: components['responses']['Refusal409'];
      421: components['responses']['Refusal421'];
      429: components['responses']['Refusal429'];
      500: components['responses']['Refusal500'];
      503: components['responses']['Refusal503'];
    };
  };
}
