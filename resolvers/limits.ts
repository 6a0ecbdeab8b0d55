/**
 * How much one GraphQL document may ask for. The same rules hold over HTTP and over WebSocket, where Apollo's own never
 * apply (measured: introspection and 20 000 aliases passed).
 */
import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { isStorable } from '../src/kernel/limits.ts';

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

export const VALIDATION_RULES: readonly ValidationRule[] = [
  maxDepthRule({ n: 12, ignoreIntrospection: true, ...reported }),
  maxAliasesRule({ n: 30, allowList: [], ...reported }),
  maxDirectivesRule({ n: 20, ...reported }),
  costLimitRule({ maxCost: 6_000, ignoreIntrospection: true, ...reported }),
  storableText,
] as readonly ValidationRule[];
