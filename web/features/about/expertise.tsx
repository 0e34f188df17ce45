import Activity from 'lucide-react/icons/activity';
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import FlaskConical from 'lucide-react/icons/flask-conical';
import Gauge from 'lucide-react/icons/gauge';
import Layers from 'lucide-react/icons/layers';
import Scale from 'lucide-react/icons/scale';
import { Link } from 'react-router';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import styles from './expertise.module.css';

const AREAS = [
  {
    Icon: Gauge,
    name: 'Calibrated uncertainty',
    text: 'Bands with a stated coverage, and how far they miss it, by symbol and by width.',
    to: '/ai-models',
    link: 'Coverage',
  },
  {
    Icon: Scale,
    name: 'Honest measurement',
    text: 'Proper scores with intervals, against simple baselines.',
    to: '/research',
    link: 'Method',
  },
  {
    Icon: ChartCandlestick,
    name: 'Forecasts of candles',
    text: 'Fifty candles, drawn one by one as they are computed.',
    to: '/kat',
    link: 'AI Prediction',
  },
  {
    Icon: Layers,
    name: 'Market data',
    text: 'Candles and order books from several venues, never mixed, each with its age.',
    to: '/kat',
    link: 'Order book',
  },
  {
    Icon: FlaskConical,
    name: 'Market simulation',
    text: 'Simulated markets with heavy tails and a daily rhythm, and a game to play in them.',
    to: '/market-simulator-v03',
    link: 'Market Simulator',
  },
  {
    Icon: Activity,
    name: 'In hindsight',
    text: 'Selected examples beside what happened next, including a bad one.',
    to: '/gallery',
    link: 'Gallery',
  },
] as const;

export function Expertise() {
  return (
    <section aria-labelledby="about-expertise" className="grid gap-4">
      <SectionHeading id="about-expertise">Expertise</SectionHeading>
      <ul className={styles.areas}>
        {AREAS.map(({ Icon, name, text, to, link }) => (
          <li key={name} className={styles.area}>
            <Icon size={20} aria-hidden="true" className={styles.icon} />
            <div>
              <h3>{name}</h3>
              <p className="muted">{text}</p>
              <Link to={to} className={styles.link}>
                {link}
              </Link>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
