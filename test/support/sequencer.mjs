/** The order of the test files: those that take long first, so that no worker is left alone with one at the end. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Those that took more than fifteen seconds of a whole run on two cores, longest first; the others follow by size. */
const LONG = [
  'pages/accessible',
  'pages/studio',
  'rest/start',
  'rest/killed-worker',
  'rest/talking-heads',
  'engines/faces/faces',
  'rules/deletion-races',
  'rest/slow-inputs-block-nobody',
  'engines/local/models',
  'engines/speech/speech',
  'pages/live',
  'rest/damaged-media',
  'pages/long-session',
  'rest/backup',
  'rest/reply-attempts',
  'rest/turn-pipeline',
  'rest/providers',
  'pages/viewer-turns',
  'rest/instance-keys',
  'rest/image-jobs',
  'rest/uploads',
  'brain/graph',
  'rest/remote-services',
  'engines/renderer/talking-head/talking-head',
  'pages/operator',
  'rules/ledger-faults',
  'engines/renderer/video/video',
  'engines/renderer/talking-head/mesh',
  'engines/renderer/graphics/portrait',
  'rules/jobs',
  'rest/doctor',
  'engines/renderer/illustrator/illustrator',
  'engines/speech/recorded',
  'engines/remote/talking-head',
  'engines/decoders/decoders',
  'rest/hostile-server',
  'pages/docs',
  'rest/guessed-passwords-and-slugs',
  'pages/talking',
  'pages/avatar-stays-visible',
  'rest/idempotency',
  'engines/faces/portraits',
  'rest/images/illustrator',
  'rest/hostile-media',
  'engines/renderer/graphics/lettering',
  'rest/outage-retries',
  'pages/viewer-stalls',
  'pages/listening',
  'engines/renderer/video/conform',
  'rules/postgres-access',
  'rest/database-outages',
  'rest/videos-real',
  'rest/scopes',
];

const gone = LONG.filter((name) => !existsSync(new URL(`../${name}.test.ts`, import.meta.url)));
if (gone.length > 0) throw new Error(`There is no test file ${gone.join(', ')}: name what it is called now.`);

const nameOf = ({ path: file }) => file.split(`${path.sep}test${path.sep}`).at(-1).replace('.test.ts', '');

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = (test) => {
      const found = LONG.indexOf(nameOf(test).replaceAll(path.sep, '/'));
      return found < 0 ? LONG.length : found;
    };
    // Stable: what is not named stays in jest's own order.
    return [...super.sort(tests)].sort((one, other) => place(one) - place(other));
  }
}
