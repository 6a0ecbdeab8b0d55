/**
 * `npm run audit`: checks every invariant of the ledger on DATABASE_URL or on the embedded database of DATA_DIR, prints
 * each with its verdict, and exits 1 when one is broken. It changes nothing; a database that was not running is stopped
 * again.
 */
import pg from 'pg';
import { readDataConfig } from '../kernel/config.ts';
import type { AuditLine } from '../ledger/ledger.queries.ts';
import { auditLedger } from '../ledger/reads.ts';
import { withDatabase } from './database.ts';
import { runCommand, takeNoWords } from './program.ts';

const USAGE = `npm run audit
  Checks every invariant of the ledger, prints each with its verdict, and exits with 1 when one is broken.`;

async function main(words: readonly string[]): Promise<void> {
  takeNoWords(words);
  await withDatabase(readDataConfig(process.env), audit);
}

async function audit(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const lines = await auditLedger({ rows: async (sql, values) => (await client.query(sql, values)).rows });
    for (const line of lines) process.stdout.write(`${show(line)}\n`);
    const broken = lines.filter((line) => !line.holds).length;
    process.stdout.write(broken === 0 ? `All ${lines.length} invariants hold.\n` : `${broken} broken.\n`);
    process.exitCode = broken === 0 ? 0 : 1;
  } finally {
    await client.end().catch(() => {});
  }
}

function show(line: AuditLine): string {
  if (line.holds) return `holds   ${line.invariant}`;
  return `BROKEN  ${line.invariant} (${line.breaches}, e.g. ${line.example})`;
}

runCommand(USAGE, main);
