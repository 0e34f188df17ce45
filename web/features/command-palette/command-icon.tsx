import ArrowRight from 'lucide-react/icons/arrow-right';
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import Eye from 'lucide-react/icons/eye';
import Keyboard from 'lucide-react/icons/keyboard';
import Moon from 'lucide-react/icons/moon';
import Play from 'lucide-react/icons/play';
import Sun from 'lucide-react/icons/sun';
import User from 'lucide-react/icons/user';
import { type ComponentType, createElement } from 'react';
import { MODEL_MARKS } from '../../brand/marks.tsx';
import type { CommandKind } from './commands.ts';

const ICONS: Readonly<Record<CommandKind, ComponentType<{ size: number }>>> = {
  page: ArrowRight,
  forecast: Play,
  dark: Moon,
  light: Sun,
  palette: Eye,
  keys: Keyboard,
  symbol: ChartCandlestick,
  user: User,
  ...MODEL_MARKS,
};

export function CommandIcon({ kind }: { kind: CommandKind }) {
  return createElement(ICONS[kind], { size: 16 });
}
