/** Takes secrets out of what is printed: of our variables, and of those that provider packages read by themselves. */
import { VARIABLES } from '../kernel/config.ts';

/** How packages call theirs: FAL_KEY, REPLICATE_API_TOKEN, AWS_SECRET_ACCESS_KEY. */
const NAMED_AS_SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
/** What is not mistaken for one: a number, and names of files. */
const HARMLESS = /_FILE$|_DAYS$|_HOURS$|_TOKENS$/;
/** A shorter text is in every second word. */
const MIN_CHARS = 3;

/** The text without any secret of this environment, as it stands or as an address writes it. */
export function withoutSecrets(env: Record<string, string | undefined>): (text: string) => string {
  const secrets = new Set<string>();
  for (const [name, value = ''] of Object.entries(env)) {
    const ours = Object.hasOwn(VARIABLES, name) ? VARIABLES[name as keyof typeof VARIABLES].meta() : undefined;
    if (HARMLESS.test(name) || !(ours ? ours.secret : NAMED_AS_SECRET.test(name))) continue;
    for (const one of [value.trim(), ...partsOf(value.trim())]) if (one.length >= MIN_CHARS) secrets.add(one);
  }
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

/** Of an address what is secret in it: the password, and what is behind the question mark; its host may be shown. */
function partsOf(value: string): string[] {
  const url = URL.parse(value);
  if (!url) return [];
  const parameters = [...url.searchParams.values()].filter((text) => !URL.canParse(text));
  return [url.password, decoded(url.password), ...parameters];
}

/** As it was before it became a part of an address; one that was put there with a bare % stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
