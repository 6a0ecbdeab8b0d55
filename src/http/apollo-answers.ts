/**
 * Apollo behind a route of Fastify. Not by its integration package, which parses a `URL` for every request and supports answers
 * in several parts, which we never send.
 */
import { type ApolloServer, type BaseContext, HeaderMap } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

const headersOf = ({ headers }: FastifyRequest): HeaderMap => {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) if (value) map.set(name, String(value));
  return map;
};

const queryOf = (address: string): string => {
  const at = address.indexOf('?');
  return at < 0 ? '' : address.slice(at);
};

/** Has Apollo answer the request: sets status and headers, and resolves to the body. */
export async function answerByApollo<C extends BaseContext>(
  apollo: ApolloServer<C>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: () => Promise<C>,
): Promise<string> {
  const { status, headers, body } = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers: headersOf(request),
      search: queryOf(request.url),
      body: request.body,
    },
    context,
  });
  if (body.kind !== 'complete') throw new Error('Apollo answers in parts, which no schema of ours asks for.');
  void reply.code(status ?? 200).headers(Object.fromEntries(headers));
  return body.string;
}
