/** `POST /transcriptions`: a recording as a part of a form, written down by the GraphQL operation of that name. */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { firstError } from '../../rest-compat/errors.ts';
import { refuseUnknown } from '../../rest-compat/variables.ts';
import { ruleOf } from '../auth/allow.ts';
import { authorize } from '../auth/principal.ts';
import { badInput } from '../kernel/errors.ts';
import { RECORDING_FORM } from '../kernel/multipart.ts';
import type { OperationRunner } from './graphql.ts';

const OPERATION = parse('mutation($input: TranscribeInput!) { transcribe(input: $input) { text seconds } }');

export function mountTranscriptions(root: FastifyInstance, { executor, contextFor }: OperationRunner): void {
  void root.register(async (fastify) => {
    await fastify.register(multipart, RECORDING_FORM);
    const callers = new WeakMap<FastifyRequest, RequestContext>();
    fastify.post('/transcriptions', {
      // Before a form of megabytes is read.
      onRequest: async (request) => {
        const context = await contextFor(request);
        const rule = ruleOf('transcribe');
        if (rule) authorize(rule, context.principal);
        callers.set(request, context);
      },
      handler: async (request, reply) => {
        const fields = (request.body ?? {}) as Record<string, unknown>;
        refuseUnknown('', fields, ['audio', 'language']);
        const { audio, language } = fields;
        if (!(audio instanceof Uint8Array)) throw badInput('audio', 'must be a file of a multipart form.');
        const variables = { input: { audio, ...(language === undefined ? {} : { language }) } };
        const context = callers.get(request);
        if (!context) throw new Error('The caller was not admitted.');
        const result = await executor.execute({ document: OPERATION, variables, context });
        const error = firstError(result);
        if (error) throw error;
        return reply.header('cache-control', 'no-store').send(result.data?.transcribe);
      },
    });
  });
}
