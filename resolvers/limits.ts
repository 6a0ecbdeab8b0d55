/**
 * How much one GraphQL document may ask for. The same rules hold over HTTP and over WebSocket, where Apollo's own never
 * apply (measured: introspection and 20 000 aliases passed).
 */
import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import type { ValidationRule } from 'graphql';

/** Longer documents are refused by the parser, before anything looks at them. */
export const MAX_TOKENS = 2_000;

const failed = 'The query asks for too much: ';

export const VALIDATION_RULES: readonly ValidationRule[] = [
  maxDepthRule({ n: 12, ignoreIntrospection: true, exposeLimits: true, errorMessage: `${failed}depth` }),
  maxAliasesRule({ n: 30, exposeLimits: true, errorMessage: `${failed}aliases` }),
  maxDirectivesRule({ n: 20, exposeLimits: true, errorMessage: `${failed}directives` }),
  costLimitRule({ maxCost: 6_000, ignoreIntrospection: true, exposeLimits: true, errorMessage: `${failed}cost` }),
] as readonly ValidationRule[];
