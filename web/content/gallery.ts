/** The gallery's five chosen examples and what they were chosen from. Written by `npm run measure -- gallery`, not by hand. */
import type { GalleryExample, GallerySearch } from '#domain/gallery/gallery-example.ts';

export const GALLERY_SEARCH: GallerySearch = { forecasts: 1404, meanAccuracy: 48.2 };

export const GALLERY: readonly GalleryExample[] = [
  {
    id: 'btc-lion-202610230608',
    dateIso: '2026-10-23T06:08:00.000Z',
    symbol: 'BTC',
    model: 'lion',
    accuracy: 90,
    title: 'BTC down 0.02 %, all within the 80 % band',
    description:
      "At 9 of 10 check points the drawn path stood on the outcome's side of the last close before the forecast. The path ended down 0.06 %, the outcome down 0.02 %. The outcome closed within the 80 % band in all 50 minutes.",
    predictionAlt:
      "150 simulated one-minute candles of BTC up to a last close of 96,230.5, then Lion's forecast: 50 candles in outline that end down 0.06 % at 96,172.4. After 50 minutes the 80 % band reaches from 96,030.7 to 96,430.7, the 95 % band from 95,876.4 to 96,585.9.",
    outcomeAlt:
      "The same candles and bands with what followed: it ended down 0.02 % at 96,209.4, closing within the 80 % band in all 50 minutes. The forecast's closes are a dashed line, right at 9 of 10 check points.",
  },
  {
    id: 'eth-bobcat-202610281718',
    dateIso: '2026-10-28T17:18:00.000Z',
    symbol: 'ETH',
    model: 'bobcat',
    accuracy: 90,
    title: 'ETH down 0.18 %, all within the 95 % band',
    description:
      "At 9 of 10 check points the drawn path stood on the outcome's side of the last close before the forecast. The path ended down 0.27 %, the outcome down 0.18 %. The outcome closed within the 80 % band in 48 of 50 minutes and within the 95 % band in all 50.",
    predictionAlt:
      "150 simulated one-minute candles of ETH up to a last close of 3,687.50, then Bobcat's forecast: 50 candles in outline that end down 0.27 % at 3,677.72. After 50 minutes the 80 % band reaches from 3,664.19 to 3,710.96, the 95 % band from 3,645.76 to 3,729.72.",
    outcomeAlt:
      "The same candles and bands with what followed: it ended down 0.18 % at 3,680.69, closing within the 80 % band in 48 of 50 minutes and within the 95 % band in all 50. The forecast's closes are a dashed line, right at 9 of 10 check points.",
  },
  {
    id: 'sol-lion-202610291932',
    dateIso: '2026-10-29T19:32:00.000Z',
    symbol: 'SOL',
    model: 'lion',
    accuracy: 30,
    title: 'SOL up 0.73 %, outside the 95 % band for 8 minutes',
    description:
      "A miss: at only 3 of 10 check points did the drawn path stand on the outcome's side of the last close before the forecast. The path ended down 0.24 %, the outcome up 0.73 %. The outcome closed within the 80 % band in 14 of 50 minutes and within the 95 % band in 42. The bands were too narrow for this move.",
    predictionAlt:
      "150 simulated one-minute candles of SOL up to a last close of 193.330, then Lion's forecast: 50 candles in outline that end down 0.24 % at 192.870. After 50 minutes the 80 % band reaches from 192.382 to 194.282, the 95 % band from 191.636 to 195.039.",
    outcomeAlt:
      "The same candles and bands with what followed: it ended up 0.73 % at 194.748, closing within the 80 % band in 14 of 50 minutes and within the 95 % band in 42. The forecast's closes are a dashed line, right at 3 of 10 check points.",
  },
  {
    id: 'gold-panther-202610192326',
    dateIso: '2026-10-19T23:26:00.000Z',
    symbol: 'Gold',
    model: 'panther',
    accuracy: 80,
    title: 'Gold up 0.38 %, all within the 95 % band',
    description:
      "At 8 of 10 check points the drawn path stood on the outcome's side of the last close before the forecast. The path ended down 0.03 %, the outcome up 0.38 %. The outcome closed within the 80 % band in 47 of 50 minutes and within the 95 % band in all 50.",
    predictionAlt:
      "150 simulated one-minute candles of Gold up to a last close of 4,631.56, then Panther's forecast: 50 candles in outline that end down 0.03 % at 4,630.07. After 50 minutes the 80 % band reaches from 4,615.40 to 4,647.78, the 95 % band from 4,603.57 to 4,659.72.",
    outcomeAlt:
      "The same candles and bands with what followed: it ended up 0.38 % at 4,649.20, closing within the 80 % band in 47 of 50 minutes and within the 95 % band in all 50. The forecast's closes are a dashed line, right at 8 of 10 check points.",
  },
  {
    id: 'doge-panther-202609230443',
    dateIso: '2026-09-23T04:43:00.000Z',
    symbol: 'DOGE',
    model: 'panther',
    accuracy: 90,
    title: 'DOGE up 1.19 %, outside the 95 % band for 7 minutes',
    description:
      "At 9 of 10 check points the drawn path stood on the outcome's side of the last close before the forecast. The path ended up 0.11 %, the outcome up 1.19 %. The outcome closed within the 80 % band in 41 of 50 minutes and within the 95 % band in 43. The bands were too narrow for this move.",
    predictionAlt:
      "150 simulated one-minute candles of DOGE up to a last close of 0.24059, then Panther's forecast: 50 candles in outline that end up 0.11 % at 0.24086. After 50 minutes the 80 % band reaches from 0.23941 to 0.24178, the 95 % band from 0.23847 to 0.24273.",
    outcomeAlt:
      "The same candles and bands with what followed: it ended up 1.19 % at 0.24346, closing within the 80 % band in 41 of 50 minutes and within the 95 % band in 43. The forecast's closes are a dashed line, right at 9 of 10 check points.",
  },
];
