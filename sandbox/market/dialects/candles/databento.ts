/** Databento's historical service: a dataset's end, and candles of a time range, one JSON object per line. */
import { Buffer } from 'node:buffer';
import { MINUTE_S } from '#domain/market/candle.ts';
import {
  DATABENTO_SCHEMA,
  type DatabentoProduct,
  databentoProductOf,
  databentoTime,
  toDatabentoRecord,
} from '#domain/market/codecs/databento-bars.ts';
import type { DialectAnswer, DialectRequest, OpenDialect } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { candlesForward } from '../../recording/candle-scan.ts';

const NAME = 'databento';
const KEY = 'sandbox';
const AUTHORIZATION = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`;
const DATASET_START = '2010-06-06T00:00:00.000000000Z';

interface Contract {
  listed: ListedSymbol;
  product: DatabentoProduct;
  instrumentId: number;
}

export const databentoDialect: OpenDialect = ({ listing, clock, lagS }) => {
  const contracts = listing.flatMap((listed, i): Contract[] => {
    const product = databentoProductOf(listed.symbol);
    return product === null ? [] : [{ listed, product, instrumentId: 42_000_000 + i }];
  });
  return { name: NAME, answer: (request) => answer(request, contracts, clock.nowMs(), lagS) };
};

function answer(
  { path, query, headers }: DialectRequest,
  contracts: readonly Contract[],
  nowMs: number,
  lagS: number,
): DialectAnswer {
  if (headers.authorization !== AUTHORIZATION)
    return refuse(401, 'auth_authentication_failed', 'Authentication failed.');
  const dataset = query.get('dataset') ?? '';
  const isKnown = contracts.some(({ product }) => product.dataset === dataset);
  const endS = Math.floor((nowMs / 1000 - lagS) / MINUTE_S) * MINUTE_S;
  if (path !== '/v0/metadata.get_dataset_range' && path !== '/v0/timeseries.get_range')
    return refuse(404, 'not_found', 'The requested resource was not found.');
  if (!isKnown) return refuse(422, 'dataset_invalid', `The dataset '${dataset.slice(0, 50)}' is unknown.`);
  if (path === '/v0/metadata.get_dataset_range') {
    const span = { start: DATASET_START, end: nanos(endS) };
    return { status: 200, body: { ...span, schema: { [DATABENTO_SCHEMA]: span } } };
  }
  return answerRange(query, contracts, endS, nowMs);
}

function answerRange(
  query: URLSearchParams,
  contracts: readonly Contract[],
  endS: number,
  nowMs: number,
): DialectAnswer {
  const [dataset, symbol] = [query.get('dataset'), query.get('symbols')];
  const contract = contracts.find(({ product }) => product.dataset === dataset && product.symbol === symbol);
  if (query.get('stype_in') !== 'continuous' || contract === undefined)
    return refuse(422, 'symbology_invalid_request', 'None of the symbols could be resolved.');
  if (query.get('schema') !== DATABENTO_SCHEMA || query.get('encoding') !== 'json')
    return refuse(422, 'schema_or_encoding_invalid', 'The sandbox only supports ohlcv-1m as JSON.');
  const fromS = Date.parse(query.get('start') ?? '') / 1000;
  const toS = Date.parse(query.get('end') ?? '') / 1000;
  if (!(fromS < toS))
    return refuse(422, 'data_time_range_start_on_or_after_end', '`start` cannot be on or after `end`.');
  if (toS > endS) {
    const message =
      `The dataset ${dataset} has data available up to '${nanos(endS)}'. ` +
      `The \`end\` in the query ('${nanos(toS)}') is after the available range. Try requesting with an earlier \`end\`.`;
    return refuse(422, 'data_end_after_available_end', message, { dataset, available_end: nanos(endS) });
  }
  const stretch = { fromS, toS: toS - MINUTE_S, limit: Number.POSITIVE_INFINITY };
  const found = candlesForward(contract.listed, stretch, nowMs);
  return {
    status: 200,
    lines: true,
    body: found.map(({ candle }) => toDatabentoRecord(candle, contract.instrumentId)),
  };
}

function refuse(status: number, name: string, message: string, payload: object = {}): DialectAnswer {
  return { status, body: { detail: { case: name, message, status_code: status, payload } } };
}

function nanos(epochS: number): string {
  return databentoTime(epochS).replace('Z', '.000000000Z');
}
