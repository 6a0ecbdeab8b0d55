/** The order of the test files: those that take long first, so that no worker is left alone with one at the end. */
import { createRequire } from 'node:module';
import path from 'node:path';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** More than fifteen seconds of computing each, most first; the others follow by size. */
const LONG = [
  'rest/damaged-media',
  'rest/start',
  'engines/portrait',
  'engines/faces',
  'rest/backup',
  'rest/providers',
  'engines/brain-graph',
  'rest/image-jobs',
  'rest/instance-keys',
  'engines/illustrator-lettering',
  'engines/video',
  'rules/jobs',
  'pages/viewer-stalls',
  'rest/scopes',
  'rest/remote-services',
  'engines/faces-portraits',
  'rest/slow-texts',
  'pages/live',
  'engines/speech',
  'rest/killed-worker',
  'engines/talking-head-mesh',
  'pages/accessible',
  'pages/avatar-stays-visible',
  'pages/long-session',
  'pages/viewer-turns',
  'rest/reply-attempts',
  'rules/ledger-faults',
  'engines/video-conform',
  'rest/pipeline',
  'pages/studio',
  'rest/hostile-media',
  'rest/videos-real',
  'engines/talking-head',
  'engines/illustrator-rig',
  'rest/hostile-server',
  'engines/speech-recorded',
  'engines/illustrator',
  'rules/postgres-access',
];

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
