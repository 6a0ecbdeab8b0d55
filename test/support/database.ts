/** A database of its own for a suite: a clone of the migrated template, dropped at the end. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const TEMPLATE = 'avatar_template';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

async function admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** @param template what it is a clone of; `template0` has no table */
export async function createTestDatabase(template: string = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => admin(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}
