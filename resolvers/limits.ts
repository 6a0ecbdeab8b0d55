/**
 * How much one GraphQL document may ask for. The same rules hold over HTTP and over WebSocket, where Apollo's own never
 * apply (measured: introspection and 20 000 aliases passed).
 */
import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { isStorable } from '../src/kernel/limits.ts';
import { introspectionLimit, introspectionShare } from './introspection.ts';

/** Longer documents are refused by the parser, before anything looks at them. */
export const MAX_TOKENS = 2_000;

/** Reported as any other mistake of the document: thrown, as is the rules' default, Apollo answers 500. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** Variables are looked at by the executor; these are the texts that a document brings along itself. */
const storableText: ValidationRule = (context) => ({
  StringValue(node) {
    if (isStorable(node.value)) return;
    context.reportError(new GraphQLError('A text has characters that are not text.', { nodes: node }));
  },
});

/** What one point of the budget of requests buys: a small document costs one, the dearest that is allowed sixty. */
const COST_A_POINT = 100;
/** Points for as much introspection as the whole schema. */
const POINTS_A_SCHEMA = 100;

const costs = new WeakMap<DocumentNode, number>();

/** Points of the budget of requests that a document takes, from 1; it was validated, or is one of ours and takes 1. */
export function pointsOf(schema: GraphQLSchema, document: DocumentNode): number {
  const cost = costs.get(document);
  if (cost === undefined) return 1;
  return Math.max(1, Math.ceil(cost / COST_A_POINT + introspectionShare(schema, document) * POINTS_A_SCHEMA));
}

const MAX_COST = 6_000;

export const VALIDATION_RULES: readonly ValidationRule[] = [
  maxDepthRule({ n: 12, ignoreIntrospection: true, ...reported }),
  maxAliasesRule({ n: 30, allowList: [], ...reported }),
  maxDirectivesRule({ n: 20, ...reported }),
  costLimitRule({
    maxCost: MAX_COST,
    ignoreIntrospection: true,
    ...reported,
    onAccept: [
      (context, { n }) => {
        const document = (context as ValidationContext).getDocument();
        costs.set(document, (costs.get(document) ?? 0) + n);
      },
    ],
  }),
  introspectionLimit,
  storableText,
] as readonly ValidationRule[];
