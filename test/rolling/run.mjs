/**
 * `npm run rolling [-- revision]`: the version before and this one side by side on one database, as while processes are replaced one
 * by one. What one of them accepts, the other one carries out and shows live, both ways; where the earlier one can not go on, it
 * has ended with a sentence. Without a revision it is one before the
 * newest migrations. Exit code 1 where that does not hold.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { nodeBinary, root } from '../../scripts/tools.mjs';
import { Load } from '../chaos/load.mjs';
import { clear, limit, Member, START_MS, until } from '../chaos/members.mjs';
import { Viewer } from '../chaos/viewers.mjs';
import { freePort } from '../support/machine.ts';

/** A verdict on nothing but an end that never comes. */
const PATIENCE_MS = 600_000;
/** For all of it, as slow as a machine may be: by then it hangs. */
const LIMIT_MS = 40 * 60_000;
/** For a program beside. */
const PROGRAM_MS = 600_000;
/** How a process says that the database is not for it any more. */
const SENTENCE = /made this database one for release .* or later; this is /;
/** And that the one before has to be stopped first. */
const WAITS = /waits until every process before release .* is stopped/;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * The newest revision before a migration whose own migrations are all here as they were: where one was changed afterwards, no
 * version was ever released with it, and its databases are refused. Undefined where the history is not here.
 */
function revisionBefore() {
  const migrations = 'src/migrations/0*';
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', migrations).trim().split('\n');
    for (const commit of added) {
      const revision = git('rev-parse', '--verify', '--quiet', `${commit}^`).trim();
      if (!git('diff', '--diff-filter=MD', '--name-only', revision, '--', migrations)) return revision;
    }
  } catch {
    // No history, or not so much of it.
  }
}

/** Its files and its build in a folder; what it needs is what is installed here. Undefined where something of that is not. */
async function checkout(revision, folder) {
  await mkdir(folder);
  const archive = path.join(folder, '../earlier.tar');
  git('archive', '--format=tar', '-o', archive, revision);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const { dependencies } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const missing = Object.keys(dependencies).filter((name) => !existsSync(path.join(root, 'node_modules', name)));
  if (missing.length > 0) return missing;
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  execFileSync(nodeBinary(), [path.join(folder, 'scripts/build.mjs')], {
    cwd: folder,
    stdio: 'inherit',
    timeout: PROGRAM_MS,
  });
  return [];
}

async function main() {
  const revision = process.argv[2] ?? revisionBefore();
  if (!revision) return console.log('note: no history here; nothing earlier to deploy beside');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-rolling-'));
  await chmod(folder, 0o755);
  const earlier = path.join(folder, 'earlier');
  const missing = await checkout(revision, earlier);
  if (missing.length > 0) console.log(`note: ${revision} needs ${missing}, which is not installed here; not tried`);
  else await deploy(folder, earlier, revision);
  await clear('the folder', () => rm(folder, { recursive: true, force: true }));
}

async function deploy(folder, earlier, revision) {
  const postgres = await startPostgres(path.join(folder, 'postgres'), { fsync: 'off' });
  await postgres.ensureDatabase('avatars');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_ENV: 'production',
    BASE_URL: 'http://avatars.test',
    DATABASE_URL: postgres.urlOf('avatars'),
    DATABASE_POOL: '8',
    DATA_DIR: folder,
    SECRETS_KEY: 'a key of rolling deploys, and of nothing else',
    ENGINES: 'noop',
    LOG_LEVEL: 'fatal',
    SIGNUP_CREDITS: '1000',
  };
  const open = async (role, which, home) =>
    new Member(role, which, await freePort(), env, { restarts: false, ...(home && { home }) });
  const before = { web: await open('web', 0, earlier), worker: await open('worker', 0, earlier) };
  const now = { web: await open('web', 1), worker: await open('worker', 1) };
  const members = [...Object.values(before), ...Object.values(now)];
  const viewers = [];
  const report = () => {
    for (const member of members) member.report();
  };
  limit(LIMIT_MS, () => {
    report();
    const [pid] = readFileSync(path.join(postgres.data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  });
  try {
    await before.web.start();
    await before.worker.start();
    const webs = [before.web, now.web];
    const urls = [before.web.url, now.web.url];
    const load = new Load(urls, () => 0);
    await load.open(1);
    const [person] = load.users;
    const [slug] = person.slugs;
    const at = (which, path, body) => load.write(path, person.key, body, which, () => webs[which].isOver);
    /** Something of each kind of work, accepted by one web process; what it accepted where it ended meanwhile. */
    const order = async (which, words) => {
      const ids = [];
      for (const body of [
        { userText: `${words} in text.`, output: 'text' },
        { userText: `${words} aloud.`, mode: 'speak', output: 'audio' },
        { userText: `${words} on film.`, mode: 'speak', output: 'video' },
      ]) {
        const answer = await at(which, `/conversations/${slug}/turn`, body);
        if (answer.status !== 202 && webs[which].isOver) break;
        if (answer.status !== 202) throw new Error(`${words}: ${JSON.stringify(answer)}`);
        ids.push(answer.body.turn.id);
      }
      return ids;
    };
    const done = (ids) =>
      until(
        `the end of ${ids} at both`,
        async () => {
          // An earlier one may notice only later that it has to end: then this version does the rest.
          if (before.worker.isOver && now.worker.hasEnded && !now.worker.isOver) await now.worker.start();
          return viewers
            .filter((_, which) => !webs[which].hasEnded)
            .every((viewer) => ids.every((id) => viewer.ended.has(id)));
        },
        PATIENCE_MS,
      );
    viewers.push(new Viewer([urls[0], urls[0]], () => 0, slug, person.key));
    await done(await order(0, 'Before the deploy'));
    // The first of this version migrates beside what runs.
    await now.web.start();
    if (now.web.isOver && WAITS.test(now.web.said)) {
      console.log(`the earlier version is stopped first: ${now.web.said.trim()}`);
      await before.web.end('SIGTERM');
      await before.worker.end('SIGTERM');
      // PostgreSQL may see their connections for a moment longer.
      const begun = async () => {
        await now.web.start();
        return !(now.web.isOver && WAITS.test(now.web.said));
      };
      await until('a start after the earlier version', begun, START_MS);
    }
    viewers.push(new Viewer([urls[1], urls[1]], () => 0, slug, person.key));
    await before.worker.end('SIGTERM');
    const accepted = before.web.hasEnded ? [] : await order(0, 'Accepted before');
    await now.worker.start();
    await done(accepted);
    if (accepted.length > 0) console.log('what the earlier version accepts, this one does');
    await now.worker.end('SIGTERM');
    for (const one of Object.values(now)) if (one.isOver) throw new Error(`${one.role} ended: ${one.said}`);
    const reverse = await order(1, 'Accepted now');
    await before.worker.start();
    const isBack = !before.worker.isOver;
    if (!isBack) await now.worker.start();
    await done(reverse);
    if (isBack && !before.worker.isOver) console.log('what this version accepts, the earlier one does');
    for (const one of Object.values(before)) {
      if (one.isOver && !SENTENCE.test(one.said)) throw new Error(`${one.role} of ${revision} ended: ${one.said}`);
      if (one.isOver) console.log(`the earlier ${one.role} has ended: ${one.said.trim()}`);
    }
    const failed = viewers.flatMap(({ ended }) => [...ended].filter(([, updates]) => / error$/.test(updates.at(-1))));
    if (failed.length > 0) throw new Error(`ended in error: ${JSON.stringify(failed)}`);
    execFileSync(process.execPath, ['--no-warnings', path.join(root, 'dist/src/commands/audit.js')], {
      env,
      stdio: 'pipe',
      timeout: PROGRAM_MS,
    });
    console.log(`${revision.slice(0, 10)} and this version side by side: holds`);
  } catch (error) {
    console.log(`BROKEN  ${error.stack}`);
    report();
    process.exitCode = 1;
  } finally {
    await Promise.all(viewers.map((viewer) => clear('a viewer', () => viewer.close())));
    for (const member of members)
      if (member.child) await clear(`${member.role} ${member.which}`, () => member.end('SIGKILL'));
    await clear('the database', () => postgres.stop());
  }
}

await main();
// Whatever is still open.
process.exit();
