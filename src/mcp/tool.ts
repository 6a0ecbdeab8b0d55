/**
 * One tool for models, a row of the table in `tools.ts`: a name, words for the model, and the GraphQL operation that it
 * executes. Its arguments are the operation's variables, with their types, limits and descriptions.
 */

/** What an operation returned, lists as lists. */
export type Data = Record<string, unknown>;

/** JSON schema of an object. */
export interface ObjectForm extends Record<string, unknown> {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
}

/** A tool and its operation. */
export interface Tool {
  name: string;
  title: string;
  /** For the model: what it does, what it costs, what comes next. */
  description: string;
  /** A variable `input` gives its fields as arguments; the aliases are the names in the result. */
  operation: string;
  /** Fields of `input` that a model has no use for. */
  omits?: readonly string[];
  /** Values of variables where the model gives none, instead of the graph's. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The list in which only items stay whose name contains the argument `name`. */
  filters?: string;
  /** How a result is polled for that takes longer than a request. */
  waits?: Waiting;
  /** Text before the data, for the model to read; default: the data alone. */
  says?(data: Data): string;
}

/** How the result of something long is read. */
export interface Waiting {
  /** Reads it as it is now. */
  operation: string;
  /** Variables of that operation, from what the tool's own returned. */
  variables(started: Data, args: Data): Data;
  /** The tool's result, from what was read. */
  result(started: Data, read: Data): Data;
  /** The form of that, from the form of what is read; default: the same. */
  resultForm?(read: ObjectForm): ObjectForm;
  isDone(result: Data, args: Data): boolean;
  /** Share done, 0 to 1, where it is known. */
  progress?(result: Data): number | undefined;
  /** The tool that asks for it later. */
  later: string;
}
