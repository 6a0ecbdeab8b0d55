/**
 * `npm run doctor`: calls everything that is configured once, with as little as it takes, and prints which of it answers,
 * how fast, by which model, and what is missing; exits 1 when something configured does not answer. With names behind it
 * (`npm run doctor -- chat mail`) only those. What belongs to the platform itself is tried as well, so that a machine
 * that cannot encode or draw is found by it. A secret is never printed, nor what a server repeats of one.
 */
import { APICallError } from '@ai-sdk/provider';
import { ConfigError } from '../kernel/config.ts';
import { type Check, checksOf, type Env } from './doctor-checks.ts';
import { withoutSecrets } from './doctor-secrets.ts';
import { readWords, runCommand, say } from './program.ts';

const USAGE = `npm run doctor -- [what ...] [--json] [--data-dir folder]
  Calls what is configured once and says what answers; with names (chat, speech, mail and so on) only those. It exits
  with 1 when something configured does not answer.
  --json       a line of JSON for each
  --data-dir   the folder to look at in place of DATA_DIR`;

/** A reason is cut here: some servers answer with a page. */
const MAX_NOTE_CHARS = 240;

/** One line of the table. */
interface Finding {
  part: string;
  answer: 'yes' | 'no' | 'none';
  /** How long the answer took, milliseconds; null where nothing was asked. */
  ms: number | null;
  by: string;
  note: string;
}

/** The checks that `asked` names, or all of them. Throws ConfigError for a name that is none, and for a wrong variable. */
function checksNamed(asked: readonly string[], env: Env): Check[] {
  const all = checksOf(env);
  const parts = [...new Set(all.map(({ part }) => part))];
  const unknown = asked.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new ConfigError(`There is no "${unknown}" to check; there are ${parts.join(', ')}.`);
  return all.filter(({ part }) => asked.length === 0 || asked.includes(part));
}

/** Asks one after the other: what they measure is not to wait for each other. */
async function* findings(checks: readonly Check[], env: Env): AsyncGenerator<Finding> {
  const hide = withoutSecrets(env);
  for (const { part, by, ask } of checks) {
    const startedAtMs = performance.now();
    let answer: Finding['answer'] = ask ? 'yes' : 'none';
    const note = ask
      ? await ask().catch((error: unknown) => {
          answer = 'no';
          return reasonOf(error);
        })
      : '';
    const ms = ask ? Math.round(performance.now() - startedAtMs) : null;
    yield { part, answer, ms, by: hide(by), note: hide(note).replace(/\s+/g, ' ').slice(0, MAX_NOTE_CHARS) };
  }
}

/**
 * Checks what `asked` names, or everything.
 * @param say takes each line of the table
 * @returns whether all that is configured answered
 * @throws ConfigError for a name that is none, and for a wrong variable
 */
export async function doctor(asked: readonly string[], env: Env, say: (line: string) => void): Promise<boolean> {
  const hide = withoutSecrets(env);
  const checks = checksNamed(asked, env);
  const widths = [6, ...checks.map(({ part }) => part.length)].sort((a, b) => b - a);
  const width = { part: widths[0] ?? 0, by: Math.max(...checks.map(({ by }) => hide(by).length)) };
  const row = (part: string, answer: string, ms: string, by: string, note: string) =>
    say(
      `${part.padEnd(width.part)}  ${answer.padEnd(6)}  ${ms.padStart(7)}  ${by.padEnd(width.by)}  ${note}`.trimEnd(),
    );
  row('what', 'answer', 'ms', 'by', 'note');
  const counts = { yes: 0, no: 0, none: 0 };
  for await (const { part, answer, ms, by, note } of findings(checks, env)) {
    counts[answer] += 1;
    row(part, answer === 'none' ? '-' : answer, ms === null ? '' : String(ms), by, note);
  }
  say(
    `${counts.yes} answer, ${counts.no} configured ${counts.no === 1 ? 'does' : 'do'} not, ${counts.none} not configured.`,
  );
  return counts.no === 0;
}

/** The same for a program: a line of JSON for each. */
async function doctorAsJson(asked: readonly string[], env: Env, say: (line: string) => void): Promise<boolean> {
  let isWell = true;
  for await (const finding of findings(checksNamed(asked, env), env)) {
    say(JSON.stringify(finding));
    if (finding.answer === 'no') isWell = false;
  }
  return isWell;
}

/** The sentence of an error with what it was caused by: ours say what, theirs say why. */
function reasonOf(error: unknown): string {
  const sentences: string[] = [];
  for (let at = error; at !== undefined && at !== null && sentences.length < 4; at = causeOf(at)) {
    const sentence = at instanceof Error ? at.message || (at as NodeJS.ErrnoException).code || at.name : String(at);
    if (!sentences.includes(sentence)) sentences.push(sentence);
    // What a provider says of the request is in its answer alone.
    if (APICallError.isInstance(at) && at.responseBody) sentences.push(at.responseBody);
  }
  return sentences.join(' ');
}

/** An aggregate has its reasons in a list: of every address of a host that was tried. */
function causeOf(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  return error instanceof Error ? error.cause : undefined;
}

if (import.meta.main)
  runCommand(
    USAGE,
    async (words) => {
      const { positionals, values } = readWords(words, { json: { type: 'boolean' }, 'data-dir': { type: 'string' } });
      const env = { ...process.env, ...(values['data-dir'] === undefined ? {} : { DATA_DIR: values['data-dir'] }) };
      const isWell = await (values.json ? doctorAsJson : doctor)(positionals, env, say);
      process.exitCode = isWell ? 0 : 1;
    },
    withoutSecrets(process.env),
  );
