/**
 * Hashes of the `<style>` elements that media-chrome writes into its shadow trees. With them the policy of the pages
 * that use it stays strict: these very styles may stand inline, and nothing else.
 */
import { createHash } from 'node:crypto';

interface ChromeElement {
  getTemplateHTML(attributes: object, properties: object): string;
}

/** The elements that src/pages/client imports; a missing one shows as a policy violation in the browser tests. */
const ELEMENTS = {
  controller: () => import('media-chrome/dist/media-controller.js'),
  controlBar: () => import('media-chrome/dist/media-control-bar.js'),
  play: () => import('media-chrome/dist/media-play-button.js'),
  mute: () => import('media-chrome/dist/media-mute-button.js'),
  volume: () => import('media-chrome/dist/media-volume-range.js'),
  fullscreen: () => import('media-chrome/dist/media-fullscreen-button.js'),
  timeRange: () => import('media-chrome/dist/media-time-range.js'),
};

export async function mediaStyleHashes(): Promise<string[]> {
  const hashes = new Set<string>();
  for (const load of Object.values(ELEMENTS)) {
    const element = (await load()).default as ChromeElement;
    for (const [, style] of element.getTemplateHTML({}, {}).matchAll(/<style>([\s\S]*?)<\/style>/g)) {
      hashes.add(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
    }
  }
  return [...hashes];
}
