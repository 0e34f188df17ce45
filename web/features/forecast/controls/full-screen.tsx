/** On phones the panel fills the screen on request. Where a browser offers no full screen, its own bars stay. */
import Fullscreen from 'lucide-react/icons/fullscreen';
import Minimize from 'lucide-react/icons/minimize';
import { useEffect, useState } from 'react';
import { useMedia } from '../../../ui/browser/use-media.ts';
import { IconButton } from '../../../ui/forms/button.tsx';

/** Upright, or on its side. The same widths as in panel-frame.module.css. */
const PHONE = '(max-width: 40em), (max-height: 480px)';

export interface FullScreen {
  isFull: boolean;
  setFull: (isFull: boolean) => void;
}

export function useFullScreen(): FullScreen {
  const [isWanted, setFull] = useState(false);
  const isFull = useMedia(PHONE) && isWanted;
  useEffect(() => {
    if (!isFull) return;
    const root = document.documentElement;
    let isOver = false;
    const leave = () => setFull(false);
    // The browser's own ways out: its 'back', Escape, a gesture.
    const onChange = () => document.fullscreenElement === null && leave();
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && leave();
    const scroll = root.style.overflow;
    root.style.overflow = 'hidden';
    // Refused by some browsers and in frames: the panel fills the window there.
    root.requestFullscreen?.().then(
      () => isOver && leaveBrowsers(),
      () => undefined,
    );
    document.addEventListener('fullscreenchange', onChange);
    document.addEventListener('keydown', onKey);
    return () => {
      isOver = true;
      root.style.overflow = scroll;
      document.removeEventListener('fullscreenchange', onChange);
      document.removeEventListener('keydown', onKey);
      leaveBrowsers();
    };
  }, [isFull]);
  return { isFull, setFull };
}

function leaveBrowsers(): void {
  // Refused if the user has left it already.
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
}

/** Nothing on other screens, whose chart is large. */
export function FullScreenButton({ isFull, setFull }: FullScreen) {
  if (!useMedia(PHONE)) return null;
  const Icon = isFull ? Minimize : Fullscreen;
  return (
    <IconButton
      label={isFull ? 'Leave full screen' : 'Full screen'}
      icon={<Icon size={16} aria-hidden="true" />}
      onClick={() => setFull(!isFull)}
    />
  );
}
