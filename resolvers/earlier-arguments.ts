/**
 * Documents written before mutations took `input`: arguments of a mutation that today are fields of its input are moved into
 * it, once, when the text is parsed. `signIn(email: $email, password: $password)` is read as
 * `signIn(input: { email: $email, password: $password })`; where `input` is a variable, its value gets what stood beside it when
 * the operation runs. The schema alone says what is moved. Until 2.0 (docs/decisions/0021-documents-of-1-2.md).
 */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLFieldConfig,
  type GraphQLInputObjectType,
  GraphQLObjectType,
  GraphQLSchema,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isRequiredInputField,
  Kind,
  NoUndefinedVariablesRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  typeFromAST,
  UniqueArgumentNamesRule,
  UniqueInputFieldNamesRule,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  type VariableDefinitionNode,
  VariablesInAllowedPositionRule,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../src/kernel/clock.ts';
import { badInput, type PlatformError } from '../src/kernel/errors.ts';
import type { Log } from '../src/kernel/log.ts';
import { nearest } from '../src/text/nearest.ts';
import { ofType, withTodaysTypes } from './earlier-types.ts';
import type { ExecuteRequest, Executor } from './execute.ts';
import { partsOfOperations } from './operation-fragments.ts';

const INPUT = 'input';

type Variables = Readonly<Record<string, unknown>>;

/** Arguments that stood beside an `input` that is a variable. */
interface Beside {
  /** The variable of the document, and the one that is given the whole: the same, unless it is used at several places. */
  source: string;
  target: string;
  type: GraphQLInputObjectType;
  moved: readonly ArgumentNode[];
  /** Variables in what is moved. */
  read: ReadonlySet<string>;
}

/** What is done to an operation's variables before it runs. */
interface Completion {
  beside: readonly Beside[];
  /** Definitions, as they were written, of the variables that stood beside. */
  definitions: readonly VariableDefinitionNode[];
  /** What variables are without a value. */
  defaults: Variables;
}

interface Earlier {
  written: DocumentNode;
  /** Every node of what stood beside an `input` that is a variable: no part of the changed document. */
  besideInput: ReadonlySet<ASTNode>;
  /** Mutations that were written in the earlier form. */
  fields: ReadonlySet<string>;
  /** Those of them that had no `input`, by the name of the input's type: what is missing there was an argument. */
  withoutInput: ReadonlyMap<string, { field: string; type: GraphQLInputObjectType }>;
  completions: ReadonlyMap<OperationDefinitionNode, Completion>;
  /** Variables of ours by the name that the client knows them by. */
  renamed: ReadonlyMap<string, string>;
}

/** Documents that were changed, by their changed form. */
const known = new WeakMap<DocumentNode, Earlier>();

/** Documents that had texts where today there are enumerations or scalars. */
const retyped = new WeakSet<DocumentNode>();

/** The document in the form of today's schema; the same object where it has that form already. */
export function inTodaysForm(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const typed = withTodaysTypes(withEarlierArguments(schema), document);
  const isMutation = document.definitions.some(
    (one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION,
  );
  const read = isMutation ? new Reader(schema, typed).read() : typed;
  if (typed !== document) retyped.add(read);
  return read;
}

class Reader {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;
  readonly #uses: ReadonlyMap<string, number>;
  readonly #fields = new Set<string>();
  readonly #withoutInput = new Map<string, { field: string; type: GraphQLInputObjectType }>();
  readonly #beside = new Map<string, Beside>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#document = document;
    this.#uses = usesOf(document);
  }

  read(): DocumentNode {
    const types = new TypeInfo(this.#schema);
    const mutation = this.#schema.getMutationType();
    const moved: DocumentNode = visit(
      this.#document,
      visitWithTypeInfo(types, {
        Field: (node) => (types.getParentType() === mutation ? this.#moveInto(node, types) : undefined),
      }),
    );
    if (this.#fields.size === 0) return this.#document;
    const completions = new Map<OperationDefinitionNode, Completion>();
    const reachedFrom = this.#beside.size > 0 ? variablesOf(moved) : undefined;
    const definitions = moved.definitions.map((one) => {
      if (one.kind !== Kind.OPERATION_DEFINITION || !reachedFrom) return one;
      const reached = reachedFrom(one);
      const beside = [...this.#beside.values()].filter(({ target }) => reached.has(target));
      if (beside.length === 0) return one;
      const operation = this.#withVariables(one, beside, reached);
      const read = new Set(beside.flatMap((each) => [...each.read]));
      const given = one.variableDefinitions ?? [];
      const definitions = given.filter((each) => read.has(each.variable.name.value));
      completions.set(operation, { beside, definitions, defaults: defaultsOf(given) });
      return operation;
    });
    const document = { ...moved, definitions };
    const renamed = new Map([...this.#beside.values()].map(({ source, target }) => [target, source]));
    const besideInput = nodesIn([...this.#beside.values()].flatMap((each) => each.moved));
    known.set(document, {
      written: this.#document,
      besideInput,
      fields: this.#fields,
      withoutInput: this.#withoutInput,
      completions,
      renamed,
    });
    return document;
  }

  /** The field with what it lacks of today's form; undefined where it has it. */
  #moveInto(node: FieldNode, types: TypeInfo): FieldNode | undefined {
    const field = types.getFieldDef();
    const type = getNullableType(field?.args.find(({ name }) => name === INPUT)?.type);
    if (!field || !isInputObjectType(type)) return undefined;
    const all = node.arguments ?? [];
    const fields = type.getFields();
    const moved = all.filter(({ name }) => name.value in fields && !field.args.some((arg) => arg.name === name.value));
    const given = all.find(({ name }) => name.value === INPUT);
    if (moved.length === 0 && (given || Object.values(fields).some(isRequiredInputField))) return undefined;
    const rest = all.filter((each) => each !== given && !moved.includes(each));
    const written = given?.value;
    if (written?.kind === Kind.VARIABLE) {
      const beside = this.#complete(written.name.value, type, moved);
      const name = { ...written.name, value: beside.target };
      this.#fields.add(field.name);
      return { ...node, arguments: [...rest, { ...given, value: { ...written, name } } as ArgumentNode] };
    }
    if (written && written.kind !== Kind.OBJECT) return undefined;
    this.#fields.add(field.name);
    if (!written) this.#withoutInput.set(type.name, { field: field.name, type });
    const loc = node.loc ? { loc: node.loc } : {};
    const value = {
      kind: Kind.OBJECT as const,
      ...loc,
      fields: [...(written?.fields ?? []), ...moved.map((each) => ({ ...each, kind: Kind.OBJECT_FIELD as const }))],
    };
    const input: ArgumentNode = { kind: Kind.ARGUMENT, ...loc, name: { kind: Kind.NAME, value: INPUT }, value };
    return { ...node, arguments: [...rest, input] };
  }

  #complete(source: string, type: GraphQLInputObjectType, moved: readonly ArgumentNode[]): Beside {
    let target = source;
    // A variable that is used at other places too keeps its value there.
    if ((this.#uses.get(source) ?? 0) > 1) {
      for (let i = 1; target === source || this.#uses.has(target) || this.#beside.has(target); i += 1)
        target = `${source}_${i}`;
    }
    const beside = { source, target, type, moved, read: new Set(usesOf(moved).keys()) };
    this.#beside.set(target, beside);
    return beside;
  }

  /** Its definitions: without those that only `beside` reads, and with those of the wholes. */
  #withVariables(
    operation: OperationDefinitionNode,
    beside: readonly Beside[],
    reached: ReadonlySet<string>,
  ): OperationDefinitionNode {
    const all = operation.variableDefinitions ?? [];
    const read = new Set(beside.flatMap((each) => [each.source, ...each.read]));
    const kept = all.filter(({ variable: { name } }) => reached.has(name.value) || !read.has(name.value));
    const wholes = beside.flatMap(({ source, target, type }) => {
      const given = all.find(({ variable: { name } }) => name.value === source);
      return given ? [this.#whole(given, target, type)] : [];
    });
    const rest = kept.filter(({ variable: { name } }) => !beside.some(({ target }) => target === name.value));
    return { ...operation, variableDefinitions: [...rest, ...wholes] };
  }

  /** The definition under the variable's new name; of the input's type, where the client's is what that was made of. */
  #whole(given: VariableDefinitionNode, target: string, type: GraphQLInputObjectType): VariableDefinitionNode {
    const { variable } = given;
    const named = { ...variable, name: { ...variable.name, value: target } };
    const inner = given.type.kind === Kind.NON_NULL_TYPE ? given.type.type : given.type;
    const declared = inner.kind === Kind.NAMED_TYPE ? typeFromAST(this.#schema, inner) : undefined;
    const fields = type.getFields();
    const isPart =
      isInputObjectType(declared) &&
      Object.values(declared.getFields()).every((each) => String(fields[each.name]?.type) === String(each.type));
    const whole = isPart ? ofType(given.type, type.name) : given.type;
    // Its own default is given with what is added to it, and so there always is a value.
    const { defaultValue, ...definition } = given;
    const isThere = defaultValue && defaultValue.kind !== Kind.NULL && whole.kind !== Kind.NON_NULL_TYPE;
    return { ...definition, variable: named, type: isThere ? { kind: Kind.NON_NULL_TYPE, type: whole } : whole };
  }
}

function nodesIn(roots: readonly ASTNode[]): Set<ASTNode> {
  const nodes = new Set<ASTNode>();
  for (const root of roots) visit(root, { enter: (node) => void nodes.add(node) });
  return nodes;
}

const ARGUMENT_RULES = [
  NoUndefinedVariablesRule,
  UniqueArgumentNamesRule,
  UniqueInputFieldNamesRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
];

/** What stood beside an `input` that is a variable, validated as it was written: as arguments of the mutation. */
export const validBesideInput: ValidationRule = (context) => ({
  Document(document) {
    const { written, besideInput } = known.get(document) ?? {};
    if (!written || !besideInput?.size) return;
    const errors = validate(withEarlierArguments(context.getSchema()), written, ARGUMENT_RULES);
    // Of all the rest the changed document says the same.
    for (const error of errors) if (error.nodes?.some((node) => besideInput.has(node))) context.reportError(error);
  },
});

const earlierSchemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/** The schema in which the fields of a mutation's input are arguments beside it, too. Nothing is executed by it. */
function withEarlierArguments(schema: GraphQLSchema): GraphQLSchema {
  const made = earlierSchemas.get(schema);
  const mutation = schema.getMutationType();
  if (made || !mutation) return made ?? schema;
  const { fields, ...rest } = mutation.toConfig();
  const widened = Object.entries(fields).map(([name, field]): [string, GraphQLFieldConfig<unknown, unknown>] => {
    const input = getNullableType(field.args?.[INPUT]?.type);
    return [name, isInputObjectType(input) ? { ...field, args: { ...input.toConfig().fields, ...field.args } } : field];
  });
  const config = schema.toConfig();
  const earlier = new GraphQLSchema({
    ...config,
    types: config.types.filter((type) => type !== mutation),
    mutation: new GraphQLObjectType({ ...rest, fields: Object.fromEntries(widened) }),
    assumeValid: true,
  });
  earlierSchemas.set(schema, earlier);
  return earlier;
}

/** How many times each variable is used. */
function usesOf(within: ASTNode | readonly ASTNode[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const each of 'kind' in within ? [within] : within) {
    visit(each, {
      VariableDefinition: () => false,
      Variable: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1),
    });
  }
  return uses;
}

/** Returns the variables that an operation uses, in its fragments too. */
function variablesOf(document: DocumentNode): (operation: OperationDefinitionNode) => Set<string> {
  const partsOf = partsOfOperations(document);
  const names = new Map(document.definitions.map((one) => [one, [...usesOf(one).keys()]]));
  return (operation) => new Set(partsOf(operation).flatMap((part) => names.get(part) ?? []));
}

/** Variables with what the document had beside `input`; `twice` is a field that was given at both places. */
function complete(
  schema: GraphQLSchema,
  { beside, definitions, defaults }: Completion,
  given: Variables,
): { variables: Record<string, unknown> } | { twice: string } | { errors: readonly GraphQLError[] } {
  const { errors } = getVariableValues(schema, definitions, { ...given });
  if (errors) return { errors };
  const raw: Variables = { ...defaults, ...given };
  const variables: Record<string, unknown> = { ...given };
  for (const { source, target, moved } of beside) {
    const value = raw[source];
    if (value === undefined) continue;
    variables[target] = value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const whole: Record<string, unknown> = { ...value };
    for (const argument of moved) {
      const name = argument.name.value;
      if (argument.value.kind === Kind.VARIABLE && raw[argument.value.name.value] === undefined) continue;
      if (whole[name] !== undefined) return { twice: name };
      whole[name] = valueFromASTUntyped(argument.value, raw);
    }
    variables[target] = whole;
  }
  return { variables };
}

function defaultsOf(definitions: readonly VariableDefinitionNode[]): Record<string, unknown> {
  return Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

const MISSING = /^Field "(\w+)\.(\w+)" of required type "([^"]+)" was not provided\.$/;
const UNKNOWN = /^Unknown argument "(\w+)" on field "\w+\.(\w+)"/;

/** A message about a changed document, in the names that its author used. */
export function inTheirWords(document: DocumentNode, message: string): string {
  const earlier = known.get(document);
  if (!earlier) return message;
  const [, typeName = '', name, type] = MISSING.exec(message) ?? [];
  const field = earlier.withoutInput.get(typeName)?.field;
  if (field) return `Field "${field}" argument "${name}" of type "${type}" is required, but it was not provided.`;
  const [head, written = '', on] = UNKNOWN.exec(message) ?? [];
  const mutation = [...earlier.withoutInput.values()].find((each) => each.field === on);
  if (mutation) {
    const meant = nearest(written, Object.keys(mutation.type.getFields()));
    return `${head}.${meant ? ` Did you mean "${meant}"?` : ''}`;
  }
  return message.replace(/(?<="\$| at ")\w+/g, (variable) => earlier.renamed.get(variable) ?? variable);
}

const MAX_NOTED = 500;
const TWICE = 'is given twice: beside input and in it.';

/**
 * The executor for documents that were moved: what stood beside an `input` is put into it first, so that limits see what is
 * executed. It is logged once a day and operation that a frontend still writes so.
 */
export function takeEarlier(executor: Executor): Executor {
  const noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: DAY_MS });

  function isNew(operation: string | undefined, what: string): boolean {
    const key = `${operation ?? ''} ${what}`;
    if (noted.has(key)) return false;
    noted.set(key, true);
    return true;
  }

  function note({ fields }: Earlier, operation: string | undefined, log: Log): void {
    for (const field of fields) {
      if (!isNew(operation, field)) continue;
      log.info({ field, ...(operation === undefined ? {} : { operation }) }, 'mutation with earlier arguments');
    }
  }

  function noteTypes({ document, operationName, context }: ExecuteRequest): void {
    const operation = getOperationAST(document, operationName)?.name?.value;
    if (!isNew(operation, '')) return;
    context.log.info(operation === undefined ? {} : { operation }, 'operation with earlier types');
  }

  async function execute(request: ExecuteRequest, earlier: Earlier): Promise<ExecutionResult> {
    const { document, operationName, context } = request;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation === OperationTypeNode.MUTATION) note(earlier, operation.name?.value, context.log);
    const completion = operation ? earlier.completions.get(operation) : undefined;
    if (!completion) return executor.execute(request);
    const completed = complete(executor.schema, completion, request.variables ?? {});
    if ('twice' in completed) return { errors: [inputError(badInput(completed.twice, TWICE))] };
    if ('errors' in completed) return { errors: completed.errors.map(inputError) };
    const result = await executor.execute({ ...request, variables: completed.variables });
    if (!result.errors) return result;
    for (const error of result.errors) error.message = inTheirWords(document, error.message);
    // A wrong value that several places take is wrong once.
    const said = new Set<string>();
    const errors = result.errors.filter(({ path, message }) => path || (!said.has(message) && said.add(message)));
    return { ...result, errors };
  }

  return {
    ...executor,
    execute(request) {
      const earlier = known.get(request.document);
      if (retyped.has(request.document)) noteTypes(request);
      return earlier ? execute(request, earlier) : executor.execute(request);
    },
  };
}

/** The error of a value, as the executor reports it. */
function inputError(error: GraphQLError | PlatformError): GraphQLError {
  const extensions = { code: 'BAD_INPUT' };
  if (error instanceof GraphQLError) return new GraphQLError(error.message, { nodes: error.nodes, extensions });
  return new GraphQLError(error.message, { originalError: error, extensions });
}
