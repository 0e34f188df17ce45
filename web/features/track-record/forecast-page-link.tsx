/** Leads to a forecast's page. The server draws it as a document, so the link leaves the app. */
import { zonedClock, zonedMinute } from '#domain/format/zoned-time.ts';
import { forecastPath } from '#domain/share/forecast-id.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';

interface ForecastPageLinkProps {
  seq: number;
  /** Epoch seconds while the forecast is sealed. It opens within 13 hours, so that the clock alone is clear. */
  opensS?: number | null;
  /** The link's text once the forecast is open. */
  children: string;
}

export function ForecastPageLink({ seq, opensS = null, children }: ForecastPageLinkProps) {
  const { zone } = useTimeZone();
  return (
    <a href={forecastPath(String(seq))}>
      {opensS === null ? children : <OpeningTime opensMs={opensS * 1000} zone={zone} />}
      <span className="visually-hidden">{`, page of record ${seq}`}</span>
    </a>
  );
}

function OpeningTime({ opensMs, zone }: { opensMs: number; zone: string }) {
  return (
    <time dateTime={new Date(opensMs).toISOString()} title={zonedMinute(opensMs, zone)}>
      opens at <span className="figures">{zonedClock(opensMs, zone)}</span>
    </time>
  );
}
