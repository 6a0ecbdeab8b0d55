/** Avatars, their images, voices and folders. */
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  Avatar,
  AvatarConnection,
  AvatarFolder,
  AvatarFolderConnection,
  AvatarImage,
  AvatarImages,
  AvatarUsageLine,
  CreatedAvatar,
  DeletedFolder,
  DeletedVoice,
  TriedReply,
  Voice,
  VoiceConnection,
} from '../schema/avatar.ts';
import { UsageArgs } from '../schema/inputs/account.ts';
import {
  AddAvatarImageInput,
  CreateAvatarFolderInput,
  CreateAvatarInput,
  CreateCustomVoiceInput,
  DeleteAvatarFolderInput,
  DeleteAvatarInput,
  DeleteCustomVoiceInput,
  RenameAvatarInput,
  SetAvatarFaceInput,
  SetAvatarPublicInput,
  SetAvatarVoiceInput,
  SetPrimaryAvatarImageInput,
  TryPersonaInput,
  UpdateAvatarInput,
  VoiceSampleArgs,
} from '../schema/inputs/avatar.ts';
import { PageArgs, WholeListArgs } from '../schema/inputs/page.ts';
import { Deleted, LookUp, WholeList } from '../schema/node.ts';
import { Url } from '../schema/scalars.ts';
import { Allow } from '../src/auth/allow.ts';
import { type Connection, cutPage, type Listing } from '../src/kernel/keyset.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { type Context, caller } from './context.ts';
import { Idempotent } from './idempotent.ts';

/** Oldest first. */
const AVATARS: Listing<Avatar> = { name: 'Avatar', order: 'asc', keyOf: ({ avatarId }) => avatarId };
const FOLDERS: Listing<AvatarFolder> = { name: 'AvatarFolder', order: 'asc', keyOf: ({ folderId }) => folderId };

/** Presets in the order of their engine, then the caller's own by their age. */
function voicesInOrder(all: readonly Voice[]): Listing<Voice> {
  const orderOf = new Map(all.map(({ id }, i) => [id, i]));
  return {
    name: 'Voice',
    order: 'asc',
    keyOf: ({ id, source }) => (source === 'preset' ? `0.${String(orderOf.get(id)).padStart(4, '0')}` : `1.${id}`),
    key: /^(0\.\d{4}|1\.\w{1,80})$/,
  };
}

@Resolver(() => Avatar)
export class AvatarResolver {
  @WholeList(() => AvatarConnection, 'The caller’s own avatars, oldest first.')
  @Allow({ auth: 'bearer', scopes: ['avatars:read'] })
  async avatars(@Ctx() context: Context, @Args(() => WholeListArgs) page: WholeListArgs): Promise<Connection<Avatar>> {
    return cutPage(page, AVATARS, await context.services.avatars.list(caller(context)));
  }

  @LookUp(
    () => Avatar,
    'One avatar: an own one, or one that is publicly renderable, without what is its owner’s alone.',
  )
  @Allow({ auth: 'optional' })
  avatar(@Ctx() { services, principal }: Context, @Arg('avatarId', () => ID) avatarId: string): Promise<Avatar> {
    return services.avatars.read(principal, avatarId);
  }

  @Query(() => AvatarConnection, {
    description: 'Publicly renderable avatars of everyone, newest first, without what is their owners’ alone.',
  })
  @Allow({ auth: 'none' })
  publicAvatars(@Ctx() { services }: Context, @Args(() => PageArgs) page: PageArgs): Promise<Connection<Avatar>> {
    return services.avatars.listPublic(page);
  }

  @Mutation(() => CreatedAvatar)
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  createAvatar(
    @Ctx() context: Context,
    @Arg('input', () => CreateAvatarInput) input: CreateAvatarInput,
  ): Promise<CreatedAvatar> {
    return context.services.avatars.create(caller(context), input);
  }

  @Mutation(() => Avatar)
  @Allow({ auth: 'firstParty' })
  renameAvatar(
    @Ctx() context: Context,
    @Arg('input', () => RenameAvatarInput) { avatarId, displayName }: RenameAvatarInput,
  ): Promise<Avatar> {
    return context.services.avatars.rename(caller(context), avatarId, displayName);
  }

  @Mutation(() => Avatar, { description: 'Changes an own avatar; what is given is changed together or not at all.' })
  @Allow({ auth: 'firstParty' })
  updateAvatar(
    @Ctx() context: Context,
    @Arg('input', () => UpdateAvatarInput) input: UpdateAvatarInput,
  ): Promise<Avatar> {
    return context.services.avatars.update(caller(context), input);
  }

  @Query(() => [AvatarUsageLine], {
    description: 'What the caller paid for an own avatar in the last days, by kind, without what was deleted.',
  })
  @Allow({ auth: 'firstParty' })
  avatarUsage(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Args(() => UsageArgs) { days }: UsageArgs,
  ): Promise<AvatarUsageLine[]> {
    return context.services.avatars.usage(caller(context), avatarId, days ?? LIMITS.usageDaysDefault);
  }

  @Mutation(() => TriedReply, {
    description:
      'What an own avatar would answer if it were who the input says, with its knowledge and memory, in writing. Nothing ' +
      'is kept and nothing is charged.',
  })
  @Allow({ auth: 'firstParty' })
  async tryPersona(
    @Ctx() context: Context,
    @Arg('input', () => TryPersonaInput) input: TryPersonaInput,
  ): Promise<TriedReply> {
    return { text: await context.services.personaTryOuts.answer(caller(context), input) };
  }

  @Mutation(() => Avatar)
  @Allow({ auth: 'firstParty' })
  setAvatarPublic(
    @Ctx() context: Context,
    @Arg('input', () => SetAvatarPublicInput) { avatarId, publiclyRenderable }: SetAvatarPublicInput,
  ): Promise<Avatar> {
    return context.services.avatars.setPublic(caller(context), avatarId, publiclyRenderable);
  }

  @Mutation(() => Avatar)
  @Allow({ auth: 'firstParty' })
  setAvatarVoice(
    @Ctx() context: Context,
    @Arg('input', () => SetAvatarVoiceInput) { avatarId, voiceId }: SetAvatarVoiceInput,
  ): Promise<Avatar> {
    return context.services.avatars.setVoice(caller(context), avatarId, voiceId);
  }

  @FieldResolver(() => Url, { nullable: true, description: 'The primary still.' })
  avatarImageUrl(@Ctx() { loaders }: Context, @Root() avatar: Avatar): Promise<string | null> {
    return loaders.primaryImageUrl.load(avatar.avatarId);
  }

  @FieldResolver(() => String, { nullable: true })
  async avatarOwnerDisplayName(@Ctx() { loaders }: Context, @Root() avatar: Avatar): Promise<string | null> {
    return (await loaders.owner.load(avatar.avatarOwnerUserId))?.displayName ?? null;
  }

  @FieldResolver(() => String, { nullable: true })
  async avatarOwnerStreamUsername(@Ctx() { loaders }: Context, @Root() avatar: Avatar): Promise<string | null> {
    return (await loaders.owner.load(avatar.avatarOwnerUserId))?.streamUsername ?? null;
  }
}

@Resolver()
export class AvatarImageResolver {
  @LookUp(
    () => AvatarImages,
    'The images of an own avatar, or of a publicly renderable one that is named with its owner.',
  )
  @Allow({ auth: 'bearer', scopes: ['avatars:read', 'generate'] })
  avatarImages(
    @Ctx() context: Context,
    @Arg('avatarId', () => ID) avatarId: string,
    @Arg('avatarOwnerUserId', () => ID, { nullable: true }) avatarOwnerUserId?: string | null,
  ): Promise<AvatarImages> {
    return context.services.images.list(caller(context), avatarId, avatarOwnerUserId);
  }

  @Mutation(() => AvatarImage)
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  addAvatarImage(
    @Ctx() context: Context,
    @Arg('input', () => AddAvatarImageInput) { avatarId, imageUrl }: AddAvatarImageInput,
  ): Promise<AvatarImage> {
    return context.services.images.addImage(caller(context), avatarId, imageUrl);
  }

  @Mutation(() => AvatarImage, { description: 'Makes one of the avatar’s images its primary one.' })
  @Allow({ auth: 'firstParty' })
  setPrimaryAvatarImage(
    @Ctx() context: Context,
    @Arg('input', () => SetPrimaryAvatarImageInput) { avatarId, assetId }: SetPrimaryAvatarImageInput,
  ): Promise<AvatarImage> {
    return context.services.images.setPrimary(caller(context), avatarId, assetId);
  }

  @Mutation(() => AvatarImage, {
    description: 'Says where the face is, for a still in which it is not found by itself.',
  })
  @Allow({ auth: 'firstParty' })
  setAvatarFace(
    @Ctx() context: Context,
    @Arg('input', () => SetAvatarFaceInput) { avatarId, imageUrl, face }: SetAvatarFaceInput,
  ): Promise<AvatarImage> {
    return context.services.images.setFace(caller(context), avatarId, imageUrl, face);
  }
}

@Resolver()
export class VoiceResolver {
  @WholeList(() => VoiceConnection, 'Every preset, and the caller’s own voices.')
  @Allow({ auth: 'bearer', scopes: ['avatars:read', 'generate'] })
  async voices(@Ctx() context: Context, @Args(() => WholeListArgs) page: WholeListArgs): Promise<Connection<Voice>> {
    const all = await context.services.voices.list(caller(context));
    return cutPage(page, voicesInOrder(all), all);
  }

  @Query(() => String, {
    description: 'How a voice would sound before it is made, or sounds that is your own: a WAV file in base64.',
  })
  @Allow({ auth: 'session' })
  voiceSample(@Ctx() context: Context, @Args(() => VoiceSampleArgs) voice: VoiceSampleArgs): Promise<string> {
    return context.services.voices.sample(caller(context), voice);
  }

  @Mutation(() => Voice)
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  createCustomVoice(
    @Ctx() context: Context,
    @Arg('input', () => CreateCustomVoiceInput) input: CreateCustomVoiceInput,
  ): Promise<Voice> {
    return context.services.voices.createCustom(caller(context), input);
  }

  @Mutation(() => DeletedVoice, {
    description:
      'Deletes a custom voice. Own avatars that speak with it speak with the preset it was made from; one-shot speech ' +
      'that waits for it ends uncharged.',
  })
  @Allow({ auth: 'firstParty' })
  deleteCustomVoice(
    @Ctx() context: Context,
    @Arg('input', () => DeleteCustomVoiceInput) { voiceId }: DeleteCustomVoiceInput,
  ): Promise<DeletedVoice> {
    return context.services.voices.deleteCustom(caller(context), voiceId);
  }
}

@Resolver(() => AvatarFolder)
export class FolderResolver {
  @WholeList(() => AvatarFolderConnection, 'The caller’s folders, oldest first.')
  @Allow({ auth: 'bearer', scopes: ['avatars:read'] })
  async avatarFolders(
    @Ctx() context: Context,
    @Args(() => WholeListArgs) page: WholeListArgs,
  ): Promise<Connection<AvatarFolder>> {
    return cutPage(page, FOLDERS, await context.services.folders.list(caller(context)));
  }

  @Mutation(() => AvatarFolder)
  @Allow({ auth: 'firstParty' })
  @Idempotent()
  createAvatarFolder(
    @Ctx() context: Context,
    @Arg('input', () => CreateAvatarFolderInput) folder: CreateAvatarFolderInput,
  ): Promise<AvatarFolder> {
    return context.services.folders.create(caller(context), folder);
  }

  @Mutation(() => Deleted, {
    description:
      'Deletes an avatar and everything made of it: images, voices, memory, speech, and all conversations with it. ' +
      'What it cost stays in the ledger.',
  })
  @Allow({ auth: 'firstParty' })
  async deleteAvatar(
    @Ctx() context: Context,
    @Arg('input', () => DeleteAvatarInput) { avatarId }: DeleteAvatarInput,
  ): Promise<Deleted> {
    await context.services.avatarDeletion.delete(caller(context), avatarId);
    return new Deleted(avatarId);
  }

  @Mutation(() => DeletedFolder)
  @Allow({ auth: 'firstParty' })
  deleteAvatarFolder(
    @Ctx() context: Context,
    @Arg('input', () => DeleteAvatarFolderInput) { folderId }: DeleteAvatarFolderInput,
  ): Promise<DeletedFolder> {
    return context.services.folders.remove(caller(context), folderId);
  }

  @FieldResolver(() => Url, { nullable: true, description: 'The address of its image.' })
  icon(@Ctx() { services }: Context, @Root() folder: AvatarFolder): string | null {
    return services.folders.iconUrl(folder);
  }
}
