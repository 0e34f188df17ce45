import { useQuery } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import { useRef, useState } from 'react';
import { MOST_API_KEYS } from '#domain/account/api-key.ts';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import { ApiKeyDialog } from './api-key-dialog.tsx';
import { type ApiKey, fetchApiKeys, revokeApiKey } from './api-keys-api.ts';
import styles from './api-keys-panel.module.css';

/** Interval of the check for keys that expire while the page is open. */
const EXPIRY_CHECK_MS = 60_000;

const isInactive = ({ isRevoked, expiresAtMs }: ApiKey, nowMs: number) =>
  isRevoked || (expiresAtMs !== null && expiresAtMs <= nowMs);

export function ApiKeysPanel({ userId }: { userId: string }) {
  const { keys, hasFailed, isFetching, retry, invalidate } = useApiKeys(userId);
  const [isMaking, setMaking] = useState(false);
  const nowMs = useNow(EXPIRY_CHECK_MS);
  const active = keys?.filter((key) => !isInactive(key, nowMs)).length ?? 0;
  const make = (
    <Button size="small" disabled={active >= MOST_API_KEYS} onClick={() => setMaking(true)}>
      Create key
    </Button>
  );
  return (
    <Panel heading="API Keys" actions={keys !== null && keys.length > 0 && make}>
      <div className={access.content}>
        <p className="muted size-13 readable-width">
          With a key, your own programs and assistants can read forecasts, candles, chances, the public record, and your
          own predictions and watchlist, up to 60 times a minute. They can’t change anything. We show when a key was
          last used, to the hour. <a href="/api/v1/openapi.json">API description</a>
        </p>
        {hasFailed ? (
          <ErrorState
            title="We couldn’t load your keys"
            text="Your programs can still use them."
            onRetry={retry}
            isRetrying={isFetching}
          />
        ) : keys === null ? (
          <div role="status" aria-label="Loading your keys">
            <Skeleton className={styles.waiting} />
          </div>
        ) : keys.length === 0 ? (
          <EmptyState title="No key yet" action={make} />
        ) : (
          <Keys keys={keys} nowMs={nowMs} onRevoked={invalidate} />
        )}
        {active >= MOST_API_KEYS && (
          <p className="muted size-13 readable-width">
            You have {MOST_API_KEYS} keys, the most you can have. Revoke one to create another.
          </p>
        )}
      </div>
      <ApiKeyDialog isOpen={isMaking} onClose={() => setMaking(false)} onCreated={() => void invalidate()} />
    </Panel>
  );
}

interface KeysProps {
  keys: readonly ApiKey[];
  nowMs: number;
  onRevoked: () => Promise<void>;
}

function Keys({ keys, nowMs, onRevoked }: KeysProps) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const [showsInactive, setShowsInactive] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const inactive = keys.filter((key) => isInactive(key, nowMs));
  const active = keys.filter((key) => !isInactive(key, nowMs));

  const revoke = async (key: ApiKey) => {
    setBusy(true);
    const failure = await revokeApiKey(key.id);
    setProblem(failure);
    if (failure === null) toast.success('Key revoked');
    await onRevoked();
    setBusy(false);
    setRevoking(null);
    // The clicked button disappeared with its key.
    if (failure === null) list.current?.focus();
  };
  return (
    <div ref={list} tabIndex={-1} className={access.content}>
      {active.length === 0 ? (
        <p>You have no active keys.</p>
      ) : (
        <ul className="grid" aria-label="Your keys">
          {active.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      {problem !== null && <ProblemNotice problem={problem} />}
      {inactive.length > 0 && (
        <Button
          variant="quiet"
          size="small"
          className={styles.more}
          aria-expanded={showsInactive}
          onClick={() => setShowsInactive(!showsInactive)}
        >
          {`${showsInactive ? 'Hide' : 'Show'} ${inactive.length} inactive ${inactive.length === 1 ? 'key' : 'keys'}`}
        </Button>
      )}
      {showsInactive && inactive.length > 0 && (
        <ul className="grid" aria-label="Inactive keys">
          {inactive.map((key) => (
            <Row key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={revoking !== null}
        heading="Revoke this key?"
        verb="Revoke"
        isBusy={isBusy}
        onClose={() => setRevoking(null)}
        onConfirm={() => revoking !== null && void revoke(revoking)}
      >
        <p>
          Programs that use <strong>{revoking?.name}</strong> ({revoking?.prefix}…) will no longer be able to read your
          data. You can’t undo this.
        </p>
      </ConfirmDialog>
    </div>
  );
}

/** Without `onRevoke`, the key is revoked or expired. */
function Row({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke?: () => void }) {
  const { zone } = useTimeZone();
  const { name, prefix, createdAtMs, lastUsedAtMs, expiresAtMs, isRevoked } = apiKey;
  return (
    <li className={access.row}>
      <KeyRound size={20} aria-hidden="true" className="muted" />
      <div className="grid gap-1 min-width-0">
        <p className={access.name}>
          <span>{name}</span>
          {onRevoke === undefined && <Badge>{isRevoked ? 'Revoked' : 'Expired'}</Badge>}
        </p>
        <dl className={access.facts}>
          <div>
            <dt>Starts with</dt>
            <dd className="figures">{prefix}</dd>
          </div>
          <div>
            <dt>Created</dt>
            <dd>{zonedMinute(createdAtMs, zone)}</dd>
          </div>
          <div>
            <dt>Last used</dt>
            <dd>{lastUsedAtMs === null ? 'never' : `in the hour from ${zonedMinute(lastUsedAtMs, zone)}`}</dd>
          </div>
          <div>
            <dt>Expires</dt>
            <dd>{expiresAtMs === null ? 'never' : zonedMinute(expiresAtMs, zone)}</dd>
          </div>
        </dl>
      </div>
      {onRevoke !== undefined && (
        <Button size="small" aria-label={`Revoke ${name}, ${prefix}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  );
}

const keysKey = (userId: string) => ['api-keys', userId];

function useApiKeys(userId: string) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: keysKey(userId),
    queryFn: ({ signal }) => fetchApiKeys(userId, signal),
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  });
  return {
    keys: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
    invalidate: () => queryClient.invalidateQueries({ queryKey: keysKey(userId) }),
  };
}
