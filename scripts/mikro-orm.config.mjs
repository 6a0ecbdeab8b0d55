/**
 * The configuration of MikroORM's command line: `npx mikro-orm debug`, `migration:check`, `migration:create --name=x`.
 * It builds what is stale first, and works on DATABASE_URL or on the embedded database of DATA_DIR while that runs.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { root } from './tools.mjs';

await buildIfStale({ modules: true });
const { openSchema } = await import('../dist/src/app/open-schema.js');
const { ormOptions } = await import('../dist/src/kernel/orm.js');

/** Of the embedded database, which asks for its password (`src/embedded-postgres/access.ts`). */
function embeddedUrl() {
  const folder = path.resolve(root, process.env.DATA_DIR ?? '.data', 'postgres');
  if (!existsSync(path.join(folder, 'port'))) {
    console.error('There is no database: run `npm start` beside this, or set DATABASE_URL.');
    process.exit(1);
  }
  const [port, password] = ['port', 'password'].map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
  return `postgres://postgres:${password}@127.0.0.1:${port}/avatars`;
}

export default ormOptions(openSchema(process.env.DATABASE_URL ?? embeddedUrl()));
