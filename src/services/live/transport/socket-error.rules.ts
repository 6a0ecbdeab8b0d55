/** Errors of an operation on a socket: which are the caller's, which pass by themselves. */
import { type DocumentNode, GraphQLError, getOperationAST } from 'graphql';
import { MessageType } from 'graphql-ws';
import { PlatformError } from '../../../kernel/errors.ts';

/** An error of the operation, for what was refused before GraphQL saw it. */
export function refusal(originalError: Error): GraphQLError {
  return new GraphQLError(originalError.message, { originalError });
}

/** True for what may be otherwise in a moment: the database away, a process starting. */
export function isPassing({ originalError }: GraphQLError): boolean {
  if (!originalError || originalError instanceof GraphQLError) return false;
  return !(originalError instanceof PlatformError) || originalError.code === 'UNAVAILABLE';
}

/** True for a slug that does not exist: it counts against who guessed it. */
export const isMiss = ({ originalError }: GraphQLError): boolean =>
  originalError instanceof PlatformError && originalError.code === 'NOT_FOUND';

/** What graphql-js itself refuses before any resolver runs is the caller's input. */
export function asInputError(error: GraphQLError): GraphQLError {
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return error;
  const { message, nodes, path, extensions } = error;
  return new GraphQLError(message, { nodes, path, extensions: { ...extensions, code: 'BAD_INPUT' } });
}

/** The caller's mistake when the document has no operation of that name; the code is the one that HTTP gives. */
export function unknownOperation(document: DocumentNode, name: string | null | undefined): GraphQLError | undefined {
  if (getOperationAST(document, name)) return undefined;
  const message = name
    ? `Unknown operation named "${name}".`
    : 'The document has no operation, or several without a name.';
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

const FROM_SERVER: ReadonlySet<unknown> = new Set([MessageType.ConnectionAck, MessageType.Next, MessageType.Error]);

/** True for a message that the protocol knows, and only a server may send. */
export function isServersMessage(text: string): boolean {
  return FROM_SERVER.has((JSON.parse(text) as { type?: unknown }).type);
}
