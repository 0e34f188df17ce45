import type { TrainedManifest } from '../../server/forecast/manifest.ts';
export function modelCard(manifest: TrainedManifest): string {
  return `# ${manifest.model}\n`;
}
