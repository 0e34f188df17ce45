/** Three drawings of the game's screens, labelled as such: no run, score or player in them is real. */
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import styles from './high-scores.module.css';

interface Screen {
  title: string;
  text: string;
  /** Heights of the closes, 0 to 100, upwards. */
  closes: readonly number[];
  /** Lengths of the ranks' bars, 0 to 100, best first. */
  ranks: readonly number[];
}

const SCREENS: readonly Screen[] = [
  {
    title: 'A calm run',
    text: 'A slow market: the score grows in small steps.',
    closes: [30, 33, 31, 36, 38, 35, 41, 44, 42, 47, 49, 46, 52, 55, 53, 58, 61, 59],
    ranks: [92, 70, 52, 38],
  },
  {
    title: 'A storm',
    text: 'Wide candles and a crash: most of the score is lost right away.',
    closes: [60, 66, 58, 72, 64, 80, 70, 76, 52, 58, 40, 46, 28, 36, 22, 30, 18, 25],
    ranks: [64, 58, 30, 12],
  },
  {
    title: 'The comeback',
    text: 'A late turnaround that beats the last high score.',
    closes: [70, 64, 66, 58, 60, 50, 52, 42, 38, 34, 30, 36, 40, 48, 46, 58, 66, 74],
    ranks: [98, 92, 60, 44],
  },
];

export function HighScores() {
  return (
    <section aria-labelledby="simulator-scores" className="grid gap-4">
      <SectionHeading id="simulator-scores">High scores</SectionHeading>
      <div className={styles.screens}>
        {SCREENS.map((screen) => (
          <figure key={screen.title} className={styles.figure}>
            <Picture screen={screen} />
            <figcaption className="muted size-13 margin-top-2">
              <span className={styles.label}>Illustration</span> {screen.title}. {screen.text}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

const WIDTH = 320;
const HEIGHT = 200;
const CHART_TOP = 34;
const CHART_HEIGHT = 90;
const RANKS_TOP = 140;

function Picture({ screen: { title, closes, ranks } }: { screen: Screen }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${title}: drawn candles above a ranking of four scores`}
    >
      <rect x="0.5" y="0.5" width={WIDTH - 1} height={HEIGHT - 1} rx="8" className={styles.screen} />
      <text x="16" y="22" className={styles.title}>
        Market Simulator
      </text>
      {closes.map((close, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a drawing that never changes
        <Candle key={index} x={20 + index * 16.5} open={closes[index - 1] ?? close - 4} close={close} />
      ))}
      {ranks.map((length, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a drawing that never changes
        <g key={index}>
          <text x="16" y={RANKS_TOP + 8 + index * 14} className={styles.rank}>
            {index + 1}
          </text>
          <rect
            x="32"
            y={RANKS_TOP + index * 14}
            width={length * 2.6}
            height="8"
            rx="2"
            className={index === 0 ? styles.best : styles.bar}
          />
        </g>
      ))}
    </svg>
  );
}

function Candle({ x, open, close }: { x: number; open: number; close: number }) {
  const y = (value: number) => CHART_TOP + CHART_HEIGHT * (1 - value / 100);
  const isUp = close >= open;
  const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
  return (
    <g className={isUp ? styles.up : styles.down}>
      <line x1={x} x2={x} y1={top - 5} y2={bottom + 4} />
      <rect x={x - 4} y={top} width="8" height={Math.max(2, bottom - top)} />
    </g>
  );
}
