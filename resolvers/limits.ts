/**
 * How much one GraphQL document may ask for. The same rules hold over HTTP and over WebSocket, where Apollo's own never
 * apply (measured: introspection and 20 000 aliases passed).
 */
import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
  visit,
} from 'graphql';
import { isStorable, LIMITS } from '../src/kernel/limits.ts';
import { answerSizeLimit, ID_LISTS, knownObjectsOf } from './answer-size.ts';
import { validBesideInput } from './earlier-arguments.ts';
import { addedCost, COST_TERMS, introspectionLimit, introspectionShare } from './introspection.ts';
import { nodesOf, pathOf } from './null-variables.ts';

/** Longer documents are refused by the parser, before anything looks at them. */
export const MAX_TOKENS = 2_000;

/** Reported like any other mistake in the document. By default these rules throw, and Apollo would answer 500. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** Texts that are literals of the document; the executor checks those in variables. */
const storableText: ValidationRule = (context) => ({
  StringValue(node, _key, parent, _path, ancestors) {
    if (isStorable(node.value)) return;
    const field = pathOf(nodesOf([...ancestors, parent])).join('.') || 'A text';
    context.reportError(new GraphQLError(`${field} has characters that are not text.`, { nodes: node }));
  },
});

/** What one point of the budget of requests buys: a small document costs one, the dearest that is allowed sixty. */
const COST_A_POINT = 100;
/** Points for introspecting the whole schema once, in proportion to its cost: a caller may do so thirty times a minute. */
const POINTS_A_SCHEMA = 100;

/** Characters of a prepared answer that a point buys. */
const PREPARED_CHARS_A_POINT = 16_384;

/** Points of the budget of requests that a prepared answer takes, from 1. */
export function pointsOfPrepared(answer: string): number {
  return Math.ceil(answer.length / PREPARED_CHARS_A_POINT);
}

/** Objects of an answer that a point buys; a usual list stays within the first point. */
const OBJECTS_A_POINT = 250;

/** Costs by the cost rule, of validated documents. */
const costs = new WeakMap<DocumentNode, number>();
/** Points of a document's fields, counted once: clients send one document again and again. */
const points = new WeakMap<DocumentNode, number>();

/** Points of the budget of requests that an operation takes, from 1; its document was validated, or is one of ours and takes 1. */
export function pointsOf(schema: GraphQLSchema, document: DocumentNode, variables?: Variables): number {
  const once = pointsOfDocument(schema, document);
  const ids = idsOf(document, variables ?? {});
  // Each id is read by itself, as a request for it alone would.
  return ids > 1 && costs.has(document) ? once * ids : once;
}

type Variables = Readonly<Record<string, unknown>>;

/** The lists of ids in a document; looked for once. */
const idLists = new WeakMap<DocumentNode, readonly ValueNode[]>();

/** How many ids a document names. */
function idsOf(document: DocumentNode, variables: Variables): number {
  let lists = idLists.get(document);
  if (!lists) {
    const found: ValueNode[] = [];
    visit(document, { Argument: ({ name, value }) => void (ID_LISTS.has(name.value) && found.push(value)) });
    idLists.set(document, found);
    lists = found;
  }
  return lists.reduce((sum, value) => {
    if (value.kind === Kind.LIST) return sum + value.values.length;
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    return sum + (Array.isArray(given) ? Math.min(given.length, LIMITS.pageSize) : 1);
  }, 0);
}

function pointsOfDocument(schema: GraphQLSchema, document: DocumentNode): number {
  const known = points.get(document);
  if (known !== undefined) return known;
  const cost = costs.get(document);
  if (cost === undefined) return 1;
  const added = addedCost(schema, document);
  const share = added === 0 ? introspectionShare(schema, document) : 0;
  const objects = Math.floor(knownObjectsOf(document) / OBJECTS_A_POINT);
  const byFields = pointsOfFields(schema, document);
  const found = Math.max(1, Math.ceil((cost + added) / COST_A_POINT + share * POINTS_A_SCHEMA) + objects) + byFields;
  points.set(document, found);
  return found;
}

/** Points that root fields with large texts as answers add. */
function pointsOfFields(schema: GraphQLSchema, document: DocumentNode): number {
  const fields = schema.getQueryType()?.getFields() ?? {};
  let sum = 0;
  visit(document, {
    Field: ({ name }) => {
      const given = fields[name.value]?.extensions.points;
      if (typeof given === 'number') sum += given;
    },
  });
  return sum;
}

/** Refuses documents that ask for the subgraph's SDL, a large text, more than once: a router needs it once. */
const sdlOnce: ValidationRule = (context) => {
  const seen = new Set<string>();
  return {
    Field(node) {
      const type = context.getParentType()?.name;
      const at = `${type}.${node.name.value}`;
      if (type !== '_Service' && at !== 'Query._service') return;
      if (seen.has(at)) context.reportError(new GraphQLError('The SDL is asked for once.', { nodes: node }));
      seen.add(at);
    },
  };
};

const MAX_COST = 6_000;

/** The cost rule skips `__schema`: the cost of aliased introspection is added here, and refused in the words of that rule. */
const costWithIntrospection: ValidationRule = (context) => ({
  Document: {
    leave(document) {
      const added = addedCost(context.getSchema(), document);
      const cost = (costs.get(document) ?? 0) + added;
      if (added === 0 || cost <= MAX_COST) return;
      const message = `Syntax Error: Query Cost limit of ${MAX_COST} exceeded, found ${Math.ceil(cost)}.`;
      context.reportError(new GraphQLError(message));
    },
  },
});

/** Without the literal lengths of lists. */
const withoutSizes = <T extends ASTNode>(node: T): T =>
  visit(node, { Argument: ({ name, value }) => (isSize(name.value) && value.kind === Kind.INT ? null : undefined) });
const isSize = (name: string): boolean => name === 'first' || name === 'last';

const costOfFields = costLimitRule({
  ...COST_TERMS,
  maxCost: MAX_COST,
  ignoreIntrospection: true,
  ...reported,
  onAccept: [
    (context, { n }) => {
      const document = (context as ValidationContext).getDocument();
      costs.set(document, (costs.get(document) ?? 0) + n);
    },
  ],
});

/**
 * The cost of the fields of a document, however long its lists are: that is `answerSizeLimit`'s to bound. The rule would
 * multiply by a number in the document, and not by the same number as a variable.
 */
const costLimit: ValidationRule = (context) => {
  const seen = Object.create(context, {
    getFragment: {
      value: (name: string) => {
        const fragment = context.getFragment(name);
        return fragment && withoutSizes(fragment);
      },
    },
  }) as ValidationContext;
  const { OperationDefinition } = costOfFields(seen);
  return { OperationDefinition: { enter: (operation) => OperationDefinition.enter(withoutSizes(operation)) } };
};

/** What every document of a caller is validated with, beside the specification's own rules: limits of depth, aliases, directives and cost. */
export const VALIDATION_RULES: readonly ValidationRule[] = [
  maxDepthRule({ n: 12, ignoreIntrospection: true, ...reported }),
  maxAliasesRule({ n: 30, allowList: [], ...reported }),
  maxDirectivesRule({ n: 20, ...reported }),
  costLimit,
  introspectionLimit,
  answerSizeLimit,
  costWithIntrospection,
  sdlOnce,
  storableText,
  validBesideInput,
] as readonly ValidationRule[];
