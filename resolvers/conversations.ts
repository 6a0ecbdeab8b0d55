/** Conversations and turns. */
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import {
  AccessLink,
  Conversation,
  ConversationConnection,
  PinnedImage,
  type StandingLink,
  StandingLinkConnection,
  VisibilityResult,
} from '../schema/conversation.ts';
import {
  ConversationListArgs,
  CreateAccessLinkInput,
  CreateConversationInput,
  DeleteConversationInput,
  PinAvatarImageInput,
  RenameConversationInput,
  RevokeAccessLinkInput,
  SetConversationVisibilityInput,
} from '../schema/inputs/conversation.ts';
import { PageArgs } from '../schema/inputs/page.ts';
import { DeleteTurnInput, InjectTurnInput, InterruptTurnInput, TurnPageArgs } from '../schema/inputs/turn.ts';
import { Deleted, LookUp } from '../schema/node.ts';
import { ConversationWithTurns, InjectedTurn, InterruptedTurn, Turn } from '../schema/turn.ts';
import { Allow } from '../src/auth/allow.ts';
import type { Connection } from '../src/kernel/keyset.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

@Resolver()
export class ConversationResolver {
  @Mutation(() => Conversation)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  @Idempotent()
  createConversation(
    @Ctx() context: Context,
    @Arg('input', () => CreateConversationInput) { avatarOwnerUserId, avatarId }: CreateConversationInput,
  ): Promise<Conversation> {
    return context.services.conversations.create(caller(context), { avatarOwnerUserId, avatarId });
  }

  @Query(() => ConversationConnection, { description: 'The caller’s conversations, newest first.' })
  @Allow({ auth: 'firstParty' })
  conversations(
    @Ctx() context: Context,
    @Args(() => ConversationListArgs) page: ConversationListArgs,
  ): Promise<Connection<Conversation>> {
    return context.services.conversations.list(caller(context), page);
  }

  @Mutation(() => Conversation, { description: 'Gives a conversation a name, which its owner alone sees.' })
  @Allow({ auth: 'firstParty' })
  renameConversation(
    @Ctx() context: Context,
    @Arg('input', () => RenameConversationInput) { conversationId, title }: RenameConversationInput,
  ): Promise<Conversation> {
    return context.services.conversations.rename(caller(context), conversationId, title ?? null);
  }

  @Mutation(() => InjectedTurn)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  @Idempotent()
  injectTurn(
    @Ctx() context: Context,
    @Arg('input', () => InjectTurnInput) input: InjectTurnInput,
  ): Promise<InjectedTurn> {
    return context.services.turns.inject(caller(context), input);
  }

  @LookUp(
    () => Conversation,
    'One conversation, without its turns: an own one, a public one, or one that the token or key opens.',
  )
  @Allow({ auth: 'optional' })
  async conversation(
    @Ctx() { services, principal }: Context,
    @Arg('conversationId', () => ID, { description: 'The internal id or the c- slug.' }) conversationId: string,
    @Arg('viewerToken', () => String, { nullable: true }) viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) key?: string | null,
  ): Promise<Conversation> {
    return services.conversations.read(conversationId, principal, {
      viewerToken: viewerToken ?? null,
      key: key ?? null,
    });
  }

  @LookUp(() => ConversationWithTurns, 'A conversation and its turns, media freshly signed.')
  @Allow({ auth: 'optional' })
  conversationBySlug(
    @Ctx() { services, principal }: Context,
    @Arg('slug', () => String) slug: string,
    @Args(() => TurnPageArgs) page: TurnPageArgs,
    @Arg('viewerToken', () => String, { nullable: true }) viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) key?: string | null,
  ): Promise<ConversationWithTurns> {
    return services.conversationTurns.bySlug(
      slug,
      principal,
      { viewerToken: viewerToken ?? null, key: key ?? null },
      page,
    );
  }

  @LookUp(() => String, 'Changes whenever the answer of `conversationBySlug` would.')
  @Allow({ auth: 'optional' })
  conversationTag(
    @Ctx() { services, principal }: Context,
    @Arg('slug', () => String) slug: string,
    @Args(() => TurnPageArgs) page: TurnPageArgs,
  ): Promise<string> {
    return services.conversationTurns.tagBySlug(slug, principal, page);
  }

  @LookUp(() => Turn, 'One turn by its t- slug, which is the grant.')
  @Allow({ auth: 'none' })
  turnBySlug(@Ctx() { services }: Context, @Arg('slug', () => String) slug: string): Promise<Turn> {
    return services.conversationTurns.turnBySlug(slug);
  }

  @Mutation(() => InterruptedTurn, {
    description:
      'Ends a reply where a user speaks over it: what is not begun is dropped, uncharged, and the avatar remembers to ' +
      'have said what was heard. What is interrupted already stays as it is.',
  })
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  interruptTurn(
    @Ctx() context: Context,
    @Arg('input', () => InterruptTurnInput) input: InterruptTurnInput,
  ): Promise<InterruptedTurn> {
    return context.services.turnInterruption.interrupt(caller(context), input);
  }

  @Mutation(() => Deleted, {
    description:
      'Deletes a turn: its words, its media and what was remembered of it. A reply that is still being written ends, uncharged. ' +
      'What it cost stays in the ledger.',
  })
  @Allow({ auth: 'firstParty' })
  async deleteTurn(
    @Ctx() context: Context,
    @Arg('input', () => DeleteTurnInput) { turnId }: DeleteTurnInput,
  ): Promise<Deleted> {
    await context.services.turnDeletion.delete(caller(context), turnId);
    return new Deleted(turnId);
  }

  @Mutation(() => Deleted, {
    description: 'Deletes a conversation with its turns and media; its viewers are sent away.',
  })
  @Allow({ auth: 'firstParty' })
  async deleteConversation(
    @Ctx() context: Context,
    @Arg('input', () => DeleteConversationInput) { conversationId }: DeleteConversationInput,
  ): Promise<Deleted> {
    return new Deleted(await context.services.conversationDeletion.delete(caller(context), conversationId));
  }

  @Mutation(() => VisibilityResult)
  @Allow({ auth: 'firstParty' })
  setConversationVisibility(
    @Ctx() context: Context,
    @Arg('input', () => SetConversationVisibilityInput) { conversationId, isPublic }: SetConversationVisibilityInput,
  ): Promise<VisibilityResult> {
    return context.services.conversations.setVisibility(caller(context), conversationId, isPublic);
  }

  @Mutation(() => PinnedImage)
  @Allow({ auth: 'bearer', scopes: ['generate'] })
  pinAvatarImage(
    @Ctx() context: Context,
    @Arg('input', () => PinAvatarImageInput) { conversationId, avatarImageUrl }: PinAvatarImageInput,
  ): Promise<PinnedImage> {
    return context.services.conversations.pinImage(caller(context), conversationId, avatarImageUrl);
  }

  @Query(() => StandingLinkConnection, { description: 'Private share links that are not revoked, newest first.' })
  @Allow({ auth: 'firstParty' })
  accessLinks(
    @Ctx() context: Context,
    @Arg('conversationId', () => ID) conversationId: string,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Connection<StandingLink>> {
    return context.services.accessLinks.list(caller(context), conversationId, page);
  }

  @Mutation(() => AccessLink)
  @Allow({ auth: 'firstParty' })
  @Idempotent({ isSecret: true })
  createAccessLink(
    @Ctx() context: Context,
    @Arg('input', () => CreateAccessLinkInput) { conversationId }: CreateAccessLinkInput,
  ): Promise<AccessLink> {
    return context.services.accessLinks.create(caller(context), conversationId);
  }

  @Mutation(() => Deleted)
  @Allow({ auth: 'firstParty' })
  async revokeAccessLink(
    @Ctx() context: Context,
    @Arg('input', () => RevokeAccessLinkInput) { conversationId, linkId }: RevokeAccessLinkInput,
  ): Promise<Deleted> {
    await context.services.accessLinks.revoke(caller(context), conversationId, linkId);
    return new Deleted(linkId);
  }
}
