/** The bare page: React and the chart library show 200 generated candles, without a router, data or styles of ours. */
import { CandlestickSeries, createChart, type UTCTimestamp } from 'lightweight-charts';
import { createElement, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

const BARS = 200;
const MINUTE_S = 60;
const START_S = 1_760_000_000;

/** The same walk on every visit. */
function generatedCandles() {
  let close = 60_000;
  return Array.from({ length: BARS }, (_, bar) => {
    const open = close;
    close = open + 40 * Math.sin(bar * 1.7) + 25 * Math.cos(bar * 0.31);
    const [low, high] = [Math.min(open, close) - 12, Math.max(open, close) + 12];
    return { time: (START_S + bar * MINUTE_S) as UTCTimestamp, open, high, low, close };
  });
}

function BarePage() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const chart = createChart(place.current, { height: 400 });
    chart.addSeries(CandlestickSeries).setData(generatedCandles());
    return () => chart.remove();
  }, []);
  return createElement('main', null, createElement('h1', null, 'Bitcoin'), createElement('div', { ref: place }));
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(createElement(BarePage));
