/**
 * `npm run doctor`: calls everything that is configured once, with as little as it takes, and prints which of it answers,
 * how fast, by which model, and what is missing; exits 1 when something configured does not answer. With names behind it
 * (`npm run doctor -- chat mail`) only those. What belongs to the platform itself is tried as well, so that a machine
 * that cannot encode or draw is found by it. A secret is never printed, nor what a server repeats of one.
 */
import { parseArgs } from 'node:util';
import { APICallError } from '@ai-sdk/provider';
import { ConfigError } from '../kernel/config.ts';
import { checksOf, type Env } from './doctor-checks.ts';
import { withoutSecrets } from './doctor-secrets.ts';

/** A reason is cut here: some servers answer with a page. */
const MAX_NOTE_CHARS = 240;

/**
 * Checks what `asked` names, or everything.
 * @param say is told each line of the table
 * @returns whether all that is configured answered
 * @throws ConfigError for a name that is none, and for a wrong variable
 */
export async function doctor(asked: readonly string[], env: Env, say: (line: string) => void): Promise<boolean> {
  const hide = withoutSecrets(env);
  const all = checksOf(env);
  const parts = [...new Set(all.map(({ part }) => part))];
  const unknown = asked.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new ConfigError(`There is no "${unknown}" to check; there are ${parts.join(', ')}.`);
  const checks = all.filter(({ part }) => asked.length === 0 || asked.includes(part));
  const widths = [6, ...checks.map(({ part }) => part.length)].sort((a, b) => b - a);
  const width = { part: widths[0] ?? 0, by: Math.max(...checks.map(({ by }) => hide(by).length)) };
  const row = (part: string, answer: string, ms: string, by: string, note: string) =>
    say(
      `${part.padEnd(width.part)}  ${answer.padEnd(6)}  ${ms.padStart(7)}  ${by.padEnd(width.by)}  ${note}`.trimEnd(),
    );
  row('what', 'answer', 'ms', 'by', 'note');
  const counts = { yes: 0, no: 0, '-': 0 };
  for (const { part, by, ask } of checks) {
    const startedAtMs = performance.now();
    let answer: keyof typeof counts = ask ? 'yes' : '-';
    const note = ask
      ? await ask().catch((error: unknown) => {
          answer = 'no';
          return reasonOf(error);
        })
      : '';
    counts[answer] += 1;
    const ms = ask ? String(Math.round(performance.now() - startedAtMs)) : '';
    row(part, answer, ms, hide(by), hide(note).replace(/\s+/g, ' ').slice(0, MAX_NOTE_CHARS));
  }
  say(
    `${counts.yes} answer, ${counts.no} configured ${counts.no === 1 ? 'does' : 'do'} not, ${counts['-']} not configured.`,
  );
  return counts.no === 0;
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

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  doctor(positionals, process.env, (line) => void process.stdout.write(`${line}\n`))
    .then((isWell) => {
      process.exitCode = isWell ? 0 : 1;
    })
    .catch((error: Error) => {
      process.stderr.write(`${withoutSecrets(process.env)(error.message)}\n`);
      process.exitCode = 1;
    });
}
