/** The record's figures: the job that computes them and the routes that serve them. */
import type { Hono } from 'hono';
import { type FigureRouteDeps, figureRoutes } from './figure-routes.ts';
import { type FiguresDeps, startFigures } from './record-figures.ts';

export function openFigures(deps: FiguresDeps & FigureRouteDeps): { routes: Hono; close(): Promise<void> } {
  const job = startFigures(deps);
  return { routes: figureRoutes(deps), close: () => job.close() };
}
