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

const portFile = path.join(path.resolve(root, process.env.DATA_DIR ?? '.data'), 'postgres/port');
const port = existsSync(portFile) ? readFileSync(portFile, 'utf8').trim() : '5432';
const url = process.env.DATABASE_URL ?? `postgres://postgres@127.0.0.1:${port}/avatars`;

export default ormOptions(openSchema(url));
