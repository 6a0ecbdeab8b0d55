/**
 * How the commands of package.json begin and end: `--help` prints what they take and does nothing else, words that none
 * of them knows are refused in one sentence, and whatever stops one is a sentence and exit code 1.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../kernel/config.ts';

/**
 * Runs `work` with the words of the command line, or prints `usage` where they ask for help.
 * @param hide what is left of the sentence that is printed, where it might have secrets
 */
export function runCommand(
  usage: string,
  work: (words: string[]) => Promise<void>,
  hide: (sentence: string) => string = (sentence) => sentence,
): void {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  work(words).catch((error: Error) => {
    process.stderr.write(`${hide(error.message)}\n`);
    process.exitCode = 1;
  });
}

/**
 * The options and words of a command line.
 * @throws ConfigError whose message is for the user of the command
 */
export function readWords<Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    // Node's second sentence is about arguments that begin with a dash, of which we have none.
    const [sentence] = (error as Error).message.split('. ');
    throw new ConfigError(`${sentence}: see --help.`);
  }
}

/** Throws ConfigError where a command that takes nothing was given something. */
export function takeNoWords(words: readonly string[]): void {
  const { positionals } = readWords(words, {});
  if (positionals.length > 0) throw new ConfigError(`It takes no arguments, and was given "${positionals[0]}".`);
}

/** Writes a line to where the command's answers go. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
