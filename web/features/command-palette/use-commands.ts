import { useLocation, useNavigate } from 'react-router';
import { timeframeName } from '#domain/market/timeframe-text.ts';
import { TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { DOCS_PATH } from '#domain/site/routes.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { requestForecast } from '../../site/forecast-request.ts';
import { useTheme } from '../../ui/browser/theme.ts';
import { type Command, type CommandGroup, modelCommands, pageCommands, symbolCommands } from './commands.ts';

const PANEL_PATH = '/kat';

export interface Commands {
  groups: readonly CommandGroup[];
  isAdmin: boolean;
  /** Opens the panel, or changes it. */
  showPanel(change: { sym?: string; model?: string }): void;
}

/** @param onKeys  shows the list of keyboard shortcuts */
export function useCommands(onKeys: () => void): Commands {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { user } = useSession();
  const { entitlement } = useEntitlement();
  const theme = useTheme();
  const viewer = { isSignedIn: user !== null, isAdmin: user !== null && entitlement.isAdmin };
  const open = (path: string) => {
    // The documentation is not part of the app.
    if (path === DOCS_PATH) window.location.assign(path);
    else void navigate(path);
  };
  /** The address of the panel names its symbol, timeframe and model; those not given here stay. */
  const showPanel = (change: { sym?: string; tf?: string; model?: string }) => {
    const isThere = pathname === PANEL_PATH;
    const query = new URLSearchParams(isThere ? search : '');
    for (const [name, value] of Object.entries(change)) query.set(name, value);
    void navigate(`${PANEL_PATH}?${query}`, { replace: isThere });
  };
  const timeframeCommand = (tf: Timeframe) =>
    action('symbol', `Timeframe: ${timeframeName(tf)}`, tf, () => showPanel({ tf }));
  const run: Command = viewer.isSignedIn
    ? action('forecast', 'Run a forecast', 'prediction predict start', () => {
        requestForecast();
        if (pathname !== PANEL_PATH) open(PANEL_PATH);
      })
    : action('forecast', 'Sign in to run a forecast', 'prediction predict', () =>
        open(`/auth/signin?next=${encodeURIComponent(PANEL_PATH)}`),
      );
  const actions = [
    run,
    theme.isDark
      ? action('light', 'Switch to the light theme', 'dark mode appearance', theme.toggleDark)
      : action('dark', 'Switch to the dark theme', 'light mode appearance', theme.toggleDark),
    action(
      'palette',
      theme.isColourBlind ? 'Use the standard colours' : 'Use the colour-blind palette',
      'color colour blind palette theme',
      theme.toggleColourBlind,
    ),
    { ...action('keys', 'Show keyboard shortcuts', 'keys help', onKeys), detail: '?' },
  ];
  const groups = [
    { heading: 'Actions', options: actions },
    { heading: 'Go to', options: pageCommands(viewer, open) },
    { heading: 'Symbol', options: symbolCommands(({ label }) => showPanel({ sym: label })) },
    { heading: 'Timeframe', options: TIMEFRAMES.map(timeframeCommand) },
    {
      heading: 'Model',
      options: modelCommands(
        entitlement,
        (model) => showPanel({ model }),
        () => window.location.assign('/account/subscription'),
      ),
    },
  ];
  return { groups, isAdmin: viewer.isAdmin, showPanel };
}

function action(kind: Command['kind'], label: string, words: string, run: () => void): Command {
  return { id: label, kind, label, searchText: `${label} ${words}`.toLowerCase(), run };
}
