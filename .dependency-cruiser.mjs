/**
 * Who may import whom. Folders stand in layers and import only from layers below; folders of one layer never import
 * each other; no two modules import each other in a circle, types included. `npm run lint` holds it.
 */

/** Layers from the ground up; a folder belongs to the longest path that matches. */
export const LAYERS = [
  ['src/kernel'],
  ['src/text', 'src/embedded-postgres', 'src/migrations'],
  ['src/persona', 'schema'],
  ['src/ledger', 'src/auth', 'src/engines', 'src/storage', 'src/events', 'src/mail', 'src/services/brain/memory'],
  ['src/services/live/feeds'],
  ['src/services'],
  ['resolvers', 'src/jobs'],
  ['rest-compat', 'src/pages', 'src/services/live/transport'],
  // Tools for models say what they take and refuse in the words of REST.
  ['src/mcp'],
  ['src/app'],
  ['src/http', 'src/commands'],
  ['src/main.ts'],
];

const folders = LAYERS.flat();
const inside = (folder) => (folder.endsWith('.ts') ? `^${folder}$` : `^${folder}/`);
/** Folders that have a layer of their own inside of this one. */
const within = (folder) => folders.filter((other) => other.startsWith(`${folder}/`)).map(inside);
const own = (folder) => ({ path: inside(folder), ...(within(folder).length ? { pathNot: within(folder) } : {}) });

const layerRules = LAYERS.flatMap((layer, height) =>
  layer.map((folder) => {
    const allowed = [inside(folder), ...LAYERS.slice(0, height).flat().map(inside), '\\.json$'];
    const forbidden = within(folder).filter(
      (path) => LAYERS.findIndex((other) => other.some((name) => inside(name) === path)) >= height,
    );
    return {
      name: `layer-${folder.replaceAll('/', '-')}`,
      comment: `${folder} imports only from layers below it.`,
      severity: 'error',
      from: own(folder),
      to: {
        path: ['^(schema|src|resolvers|rest-compat)/', ...forbidden],
        pathNot: allowed.filter((path) => !forbidden.includes(path)),
      },
    };
  }),
);

/** Transports execute GraphQL operations: they import neither rules nor entities. */
const TRANSPORTS = ['^rest-compat/', '^src/pages/', '^src/mcp/', '^src/services/live/transport/'];

/** What transports may know of operations: how they are executed and limited, not what runs them. */
const OPERATIONS = [
  '^resolvers/(execute|compiled-queries|request-context|schema|live)\\.ts$',
  '^resolvers/(limits|rate-limits|idempotent|introspection|earlier-arguments|trusted-documents)\\.ts$',
];

/** What opens media of others: decoder processes run it, and nothing else imports it. */
const DECODERS = [
  '^src/engines/decoders/(process|image)\\.ts$',
  '^src/engines/embedded/codec/(frames\\.ts$|decode/)',
  '^src/engines/embedded/renderer/video/(edit|conform)\\.ts$',
];
const CODECS =
  '(^|/)node_modules/(sharp|@napi-rs/(canvas|webcodecs)|mediabunny|@wasm-audio-decoders/[^/]+|mpg123-decoder|opus-decoder)/';
/** What draws and encodes in web and worker, or opens images and fragments that we have written ourselves. */
const OWN_MEDIA = [
  '^src/engines/embedded/codec/(audio|files|fragments|self-test|sound-track|thread|video-track|webcodecs)\\.ts$',
  '^src/engines/embedded/renderer/(graphics|illustrator)/',
  '^src/engines/embedded/faces/pixels\\.ts$',
  '^src/engines/embedded/renderer/talking-head/(layered-painter|still)\\.ts$',
  '^src/engines/embedded/renderer/video/(stills|thread)\\.ts$',
  '^src/engines/remote/ratio\\.ts$',
  '^src/pages/card-drawing\\.ts$',
  '^src/services/videos/video-render\\.service\\.ts$',
];

/** What an embedded engine imports beside its own folder: the ports, which hand it what it takes of the platform, and the codec. */
const PORTS = 'src/engines/ports';
const CODEC = 'src/engines/embedded/codec';
const RENDERER = 'src/engines/embedded/renderer';
const OURS = '^(schema|src|resolvers|rest-compat)/';

const engineRules = [
  {
    name: 'engine-stands-alone',
    comment: 'An embedded engine could be a package: it imports the ports, the codec and itself.',
    severity: 'error',
    from: { path: '^src/engines/embedded/([^/]+)/' },
    to: { path: OURS, pathNot: ['^src/engines/embedded/$1/', ...[PORTS, CODEC].map(inside)] },
  },
  {
    name: 'renderer-shares-graphics-alone',
    comment: 'Images, videos and talking heads are made of the same drawings, and know nothing else of each other.',
    severity: 'error',
    from: { path: `^${RENDERER}/([^/]+)/` },
    to: { path: inside(RENDERER), pathNot: [`^${RENDERER}/$1/`, inside(`${RENDERER}/graphics`)] },
  },
  {
    name: 'ports-know-no-engine',
    comment: 'Whoever answers, the ports are the same.',
    severity: 'error',
    from: { path: inside(PORTS) },
    to: { path: inside('src/engines'), pathNot: inside(PORTS) },
  },
];

export default {
  forbidden: [
    ...layerRules,
    ...engineRules,
    {
      name: 'media-of-others-in-decoders-only',
      comment: 'A file of a few kilobytes can end or hold a codec: it is opened in a process that may be lost.',
      severity: 'error',
      from: { pathNot: DECODERS },
      to: { path: DECODERS, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'codecs-where-media-are-ours',
      comment: 'Whoever imports a codec beside the decoders opens nothing but what we wrote; the list is short.',
      severity: 'error',
      from: { pathNot: [...DECODERS, ...OWN_MEDIA] },
      to: { path: CODECS, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycle',
      comment: 'Two modules that import each other, types included, cannot be understood one by one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'transports-execute-graphql',
      comment: 'REST, pages and sockets execute GraphQL operations, so that a rule is written once.',
      severity: 'error',
      from: { path: TRANSPORTS },
      to: { path: ['^src/services/(?!live/(transport/|live\\.service\\.ts$))'] },
    },
    {
      name: 'services-by-operations-only',
      comment:
        'What resolvers are given holds every service. A transport and live know a request as `request-context.ts` has it, types included: the executor adds the rest.',
      severity: 'error',
      from: { path: [...TRANSPORTS, '^src/services/live/', '^src/http/'] },
      to: { path: '^resolvers/', pathNot: OPERATIONS },
    },
    {
      name: 'live-rules-for-sockets-only',
      comment:
        'What a socket asks of the rules beside its operations is handed to it by name, and to no other transport.',
      severity: 'error',
      from: { path: ['^rest-compat/', '^src/pages/', '^src/mcp/'] },
      to: { path: '^src/services/' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'It is a package of its own: it imports nothing of the platform, and nothing else but React where it is for React.',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: ['^clients/typescript/src/', '(^|/)node_modules/react/'] },
    },
    {
      name: 'client-is-for-browsers',
      comment: 'The server executes its operations itself; the scripts of its pages are a client as others are.',
      severity: 'error',
      from: { pathNot: ['^clients/', '^src/pages/client/'] },
      to: { path: '^clients/' },
    },
    {
      name: 'react-for-react-only',
      severity: 'error',
      from: { path: '^clients/typescript/src/', pathNot: '^clients/typescript/src/react\\.ts$' },
      to: { path: '(^|/)node_modules/react/' },
    },
    {
      name: 'pages-and-sockets-know-no-entities',
      severity: 'error',
      from: { path: ['^src/pages/', '^src/services/live/transport/'] },
      to: { path: '^schema/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^\\.dist', '\\.sql$'] },
    includeOnly: ['^(schema|src|resolvers|rest-compat|clients)/', '(^|/)node_modules/react/', CODECS],
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
