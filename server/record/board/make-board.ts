/** The board of one market kind: all participants' calls by period, judged in domain/record/figures/board.ts. */
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import {
  BOARD_PERIODS,
  BOARD_WHO,
  type BoardCall,
  type BoardRow,
  type BoardWho,
  boardRow,
  type TrackBoard,
} from '#domain/record/figures/board.ts';
import type { HourlyRecord, HourOfVotes } from './board-store.ts';

/** Everyone's calls except the user's own: the same for all users. */
export type SharedCalls = Readonly<Record<Exclude<BoardWho, 'you'>, readonly BoardCall[]>>;

const HOUR_S = 3600;
/** How long a vote counts. */
const VOTE_HOURS = 24;

/** @param records  of one timeframe */
export function sharedCalls(
  records: readonly HourlyRecord[],
  votes: readonly HourOfVotes[],
  timeframe: Timeframe,
): SharedCalls {
  const barS = barSecondsOf(timeframe);
  const byModel = Map.groupBy(records, ({ model }) => model);
  const of = (model: HourlyRecord['model']): BoardCall[] =>
    (byModel.get(model) ?? []).map((record) => toCall(record, barS));
  const [bobcat, panther, lion] = MODEL_NAMES.map(of);
  return { crowd: crowdCalls(records, votes, barS), bobcat: bobcat ?? [], panther: panther ?? [], lion: lion ?? [] };
}

/** @param nowS  epoch seconds of the market's time */
export function periodsOf(
  own: readonly BoardCall[],
  shared: SharedCalls,
  timeframe: Timeframe,
  nowS: number,
): TrackBoard['periods'] {
  const rowsOf = (days: number): { rows: BoardRow[] } => {
    const sinceS = nowS - days * 24 * HOUR_S;
    const callsOf = (who: BoardWho): readonly BoardCall[] => (who === 'you' ? own : shared[who]);
    return {
      rows: BOARD_WHO.map((who) =>
        boardRow(
          who,
          callsOf(who).filter(({ joinS }) => joinS >= sinceS),
          timeframe,
        ),
      ),
    };
  };
  return { '7d': rowsOf(BOARD_PERIODS['7d']), '30d': rowsOf(BOARD_PERIODS['30d']) };
}

/** The majority of the votes in the 24 hours before each hour; a tie or no votes gives no call. */
function crowdCalls(records: readonly HourlyRecord[], votes: readonly HourOfVotes[], barS: number): BoardCall[] {
  const byHour = new Map(votes.map((hour) => [hour.hourS, hour]));
  const hours = new Map(records.map((record) => [record.slotS, record]));
  return [...hours.values()].flatMap((record) => {
    // Votes and record times both use our clock.
    const hourS = Math.floor(record.issuedMs / 1000 / HOUR_S) * HOUR_S;
    let balance = 0;
    for (let back = 1; back <= VOTE_HOURS; back++) {
      const hour = byHour.get(hourS - back * HOUR_S);
      balance += (hour?.up ?? 0) - (hour?.down ?? 0);
    }
    return balance === 0 ? [] : [{ ...toCall(record, barS), drawnBp: Math.sign(balance) }];
  });
}

/** A record's last candle is the one before its slot. */
function toCall({ slotS, drawnBp, actualBp }: HourlyRecord, barS: number): BoardCall {
  return { joinS: slotS - barS, drawnBp, actualBp };
}
