/** The baseline of the GraphQL read: Mercurius with graphql-jit, the same shape from the same two statements. */
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { openReader } from '../support/conversation.mjs';
import { servePart } from '../support/parts.mjs';

const SCHEMA = `
  type Conversation { conversationId: ID! shareSlug: String! shareUrl: String! liveUrl: String! isPublic: Boolean!
    avatarId: ID! avatarOwnerUserId: ID! avatarDisplayName: String avatarImageUrl: String createdAt: Float! }
  type Turn { id: ID! role: String! userText: String avatarText: String output: String status: String audioUrl: String
    videoUrl: String shareSlug: String shareUrl: String liveUrl: String errorMessage: String mediaError: String
    createdAt: Float! }
  type ConversationWithTurns { conversationId: ID! conversation: Conversation! turns: [Turn!]! }
  type Query { conversationBySlug(slug: String!): ConversationWithTurns! }`;

servePart(async ({ databaseUrl, site }) => {
  const reader = openReader(databaseUrl, site);
  const app = Fastify();
  app.register(mercurius, {
    schema: SCHEMA,
    resolvers: { Query: { conversationBySlug: (_root, { slug }) => reader.read(slug) } },
    jit: 1,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    facts: { port: app.server.address().port },
    async close() {
      await app.close();
      await reader.close();
    },
  };
});
