/**
 * What the parts of the schema mean to a frontend's developer, where their classes do not say it: first by coordinate
 * (`Mutation.signIn`, `Query.auditLog(userId:)`), else by the name, which means the same wherever it stands.
 * `npm run generate` fails while anything is left without a word.
 */
import {
  type GraphQLArgument,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

/** What a field or argument of this name is, wherever it stands. */
const BY_NAME: Readonly<Record<string, string>> = {
  accessToken: 'Send it as a bearer token.',
  action: 'Only what was done so.',
  amount: 'How many credits.',
  assetId: 'One of the avatar’s images, by its `assetId`.',
  avatar: 'The avatar.',
  avatarDisplayName: 'The name of the avatar.',
  avatarId: 'The avatar.',
  avatarImageUrl: 'The image that it is shown with.',
  avatarOwnerDisplayName: 'The name of its owner.',
  avatarOwnerStreamUsername: 'The proved name of its owner on the streaming platform.',
  avatarOwnerUserId: 'Whose avatar it is.',
  avatarText: 'What the avatar says; null until it is written, and for the caller’s own words.',
  baseVoiceId: 'The preset that it starts from.',
  charged: 'What it cost.',
  citations: 'The memories that the answer rests on.',
  clientId: 'The app.',
  clientSecret: 'The app’s secret.',
  code: 'The code that the browser came back with.',
  codeChallenge: 'The hash of the app’s own secret for this sign-in (PKCE).',
  codeVerifier: 'The app’s own secret for this sign-in (PKCE).',
  content: 'What is remembered.',
  conversation: 'The conversation.',
  conversationId: 'The conversation.',
  createdAt: 'When it was made.',
  creatorUserId: 'The creator on whom alone they are spent.',
  creditCost: 'What it cost.',
  creditsPerSecond: 'What a second costs.',
  currentPassword: 'The present password.',
  description: 'What it looks like, in words.',
  displayName: 'The name that others see.',
  email: 'An e-mail address.',
  error: 'Why it failed; null unless it did.',
  errorMessage: 'Why it failed; null unless it did.',
  expiresAt: 'When it ends by itself.',
  finishedAt: 'When it ended; null while it runs.',
  folderId: 'The folder that it is kept in; null for none.',
  generation: 'The speech itself.',
  generationId: 'What was made, or is being made.',
  icon: 'The address of an image.',
  id: 'Its id.',
  idempotencyKey:
    'Up to 255 characters of your own: the same input with the same key is answered again for a day, with the secret if there is one, and nothing is made or charged twice. Another input is KEY_REUSED; IN_FLIGHT while the first still runs. The header Idempotency-Key is the same for a document with one such field, where another key than here is BAD_INPUT; of several it is the key of the one without.',
  idToken: 'Send it as a bearer token.',
  imageUrl: 'The address of an image.',
  imageId: 'The image.',
  images: 'The images, the primary one first.',
  input: 'What is asked for.',
  intentId: 'The gift.',
  isMember: 'Whether the caller has joined.',
  isOwner: 'Whether it is the caller’s own.',
  isPrimary: 'Whether it is the one that the avatar is shown with.',
  isPublic: 'Whether anyone may read it.',
  joinCost: 'What joining costs.',
  key: 'The key of an access link.',
  limit: 'How many at most.',
  linkId: 'The private share link; what revokes it.',
  liveUrl: 'The live page, which plays every new turn.',
  maxBytes: 'How large it may be.',
  member: 'Who may be a member.',
  memories: 'What is remembered.',
  name: 'Its name.',
  newPassword: 'The new password.',
  note: 'A word to the recipient.',
  ok: 'True: it was done.',
  password: 'The password.',
  personalityPrompt: 'How the avatar is and speaks, in words.',
  pitch: 'Semitones, -12 to 12.',
  prompt: 'What is to be seen, in words.',
  publiclyRenderable: 'Whether anyone may talk with it; the owner pays.',
  query: 'What is looked for, in words.',
  rate: 'Speed factor, 0.5 to 2.',
  redirectDomains: 'The hosts that the app may be sent back to.',
  redirectUri: 'Where the browser is sent back to.',
  requestedAt: 'When it was asked for.',
  sandboxId: 'The isolated brain of that name; null for the usual one.',
  scope: 'Scopes, space separated.',
  scopes: 'What the app may do.',
  serviceAvatarId: 'The avatar that the app acts as by itself; null: it does not.',
  shareSlug: 'The last part of the address of its page; null until there is one.',
  shareUrl: 'Its page; null until there is one.',
  slug: 'The last part of the address of its page.',
  state: 'What the request brought, to be returned unchanged.',
  streamUsername: 'A name on the streaming platform.',
  success: 'True: it was done.',
  system: 'The memory system: managed, mem0 or supermemory.',
  text: 'The words.',
  to: 'The recipient: a user id or a name on the streaming platform.',
  token: 'The token.',
  tokenId: 'The access token of an app, by the id that revokes it.',
  total: 'How many in all.',
  transferable: 'What gifts can move.',
  tribeName: 'What the creator calls their tribe.',
  tribeOwner: 'Whose tribe it is.',
  turn: 'The turn.',
  turnId: 'The turn.',
  turns: 'The turns, in the order they are shown.',
  updatedAt: 'When it was changed last.',
  uploadId: 'What the upload is called.',
  url: 'The address.',
  user: 'The creator: a user id or a name on the streaming platform.',
  userId: 'The user.',
  userText: 'What the caller says.',
  variant: 'A timbre of the speech engine.',
  video: 'The video.',
  viewerToken: 'The token of a live address.',
  voiceId: 'A voice of the voice list.',
  words: 'When each word is spoken, for captions; null until it is known.',
};

/** What refuses whatever makes media, in the words of each of them. */
const REFUSED =
  'Refused, and nothing charged: BAD_INPUT (`field`), INSUFFICIENT_CREDITS (`requiredCredits`, `availableCredits`), ' +
  'NOT_FOUND, FORBIDDEN, QUOTA_EXCEEDED (of the storage: `quota`, `limit`), RATE_LIMITED';

/** Types, and what is meant otherwise than its name says. */
const BY_COORDINATE: Readonly<Record<string, string>> = {
  Query: 'What can be read.',
  Mutation: 'What can be changed.',
  Subscription: 'What can be followed.',
  AvatarImages: 'The images of an avatar.',
  BrainAnswer: 'An answer from what an avatar remembers.',
  ConversationWithTurns: 'A conversation with its turns, as one read.',
  CreateAvatarInput: 'A new avatar.',
  CreateCustomVoiceInput: 'A new voice, bent from a preset.',
  DeletedFolder: 'A folder that is gone.',
  EditImageInput: 'An image made from other images.',
  GenerateImageInput: 'An image made from words.',
  GenerateVideoInput: 'A video to be made.',
  InjectTurnInput: 'What the caller says to the avatar.',
  InjectedTurn: 'A turn that was taken; its reply follows.',
  JoinedTribe: 'A tribe that was joined.',
  PinnedImage: 'The image that a conversation shows its avatar with from now on.',
  QueryBrainInput: 'A question to what an avatar remembers.',
  RecallInput: 'What memories are looked for.',
  ResetSandbox: 'A sandbox that is empty again.',
  SaveMemoryInput: 'A new memory.',
  SavedMemory: 'A memory that was kept.',
  SentGift: 'A confirmed gift.',
  ServiceAvatarResult: 'The avatar that an app acts as by itself.',
  SpeakInput: 'A text to be spoken once, outside of any conversation.',
  TranslatedCaption: 'Words in another language.',
  VisibilityResult: 'Who may read a conversation from now on.',
  'ApiKey.name': 'What its owner calls it.',
  'ApprovedAuthorization.redirectTo': 'Where to send the browser.',
  'Avatar.nameLocked': 'Whether its name is managed by the streaming platform and cannot be changed.',
  'AvatarImages.primary': 'The address of the primary one.',
  'AvatarImage.url': 'Its address, valid wherever an image address is asked for.',
  'Balance.available': 'What can be spent, locked and welcome credits included.',
  'Balance.held': 'What is held for work that has not ended.',
  'Balance.locked': 'Credits that buy only what one creator is paid for.',
  'BrainAnswer.answer': 'The answer; `[n]` in it is the n-th citation.',
  'BrainCitation.score': 'How well it fits, 0 to 1; comparable within one answer only.',
  'Conversation.avatarDisplayName': 'The name of its avatar.',
  'Conversation.shareUrl': 'Its page, with everything that was said.',
  'Conversation.shareSlug': 'The last part of the address of its page.',
  'CreateAvatarInput.knowledgeBaseUrls': 'Pages that it learns from when it is trained, at most 10.',
  'FaceInput.chin': 'The tip of the chin; guessed when it is left out.',
  'FaceInput.leftEye': 'The middle of the eye on the viewer’s left.',
  'FaceInput.mouth': 'The middle of the mouth.',
  'FaceInput.mouthWidth': 'As a fraction of the image’s width; guessed when it is left out.',
  'FaceInput.rightEye': 'The middle of the eye on the viewer’s right.',
  'EditImageInput.aspectRatio': 'Width to height of the new image.',
  'GenerateImageInput.aspectRatio': 'Width to height of the image.',
  'GenerateVideoInput.fps': 'Frames a second: 24 or 48, which costs more.',
  'GenerateVideoInput.resolution': 'Lines of the image: 720p or 1080p, which costs more.',
  'GiftConfirmation.intent': 'The gift.',
  'GiftConfirmation.toDisplayName': 'The name of the recipient.',
  'GiftConfirmation.toStreamUsername': 'The recipient’s proved name on the streaming platform.',
  'GiftIntent.expiresAt': 'Until when its sender may confirm it.',
  'InjectTurnInput.mode': 'What is done with the words.',
  'InjectTurnInput.output': 'As what the reply is made.',
  'InjectedTurn.async': 'Whether the reply is made by a worker; false in local development only.',
  'KeptImage.prompt': 'The words that it was made from.',
  'LedgerEntry.memo': 'A word that came with it.',
  'Memory.content': 'What is remembered.',
  'NewApiKey.token': 'The key itself. It is shown this once.',
  'NewOAuthClient.clientSecret': 'The app’s secret. It is shown this once.',
  'RotatedClientSecret.clientSecret': 'The app’s new secret. It is shown this once.',
  'PointInput.x': 'From the left, 0 to 1.',
  'PointInput.y': 'From the top, 0 to 1.',
  'RecallInput.limit': 'How many at most, 1 to 100.',
  'SentGifts.count': 'How many there are.',
  'SentGifts.total': 'Their credits in all.',
  'SentGifts.to': 'The recipient, as asked for.',
  'Session.user': 'Who signed in.',
  'SpeakInput.output': 'As what it is made.',
  'Training.failures': 'Pages that gave nothing.',
  'Training.total': 'How many pages there are.',
  'TrainingFailure.reason': 'Why.',
  'Turn.liveUrl': 'The live page of this one turn; null until there is one.',
  'Turn.mediaError': 'Why it is words alone although sound or video was asked for; null unless it is.',
  'Turn.userText': 'What the caller said; null for what the avatar says.',
  'Turn.videoUrl': 'The video, freshly signed on every read; lives one hour. Null until there is one.',
  'TurnUpdate.turn': 'The turn as it is now.',
  'UpdateAvatarInput.folderId': 'The folder to keep it in; null takes it out of its folder.',
  'Video.prompt': 'The words that it was made from.',
  'Video.referencedAvatars': 'Whom it features.',
  'OAuthAvatar.picture': 'The address of its image.',
  'OAuthUserinfo.picture': 'The address of the image of that avatar.',
  'UsageLine.kind': 'What it was spent on.',
  'UsageLine.credits': 'How many credits.',
  'WordMark.len': 'Length of the word, in UTF-16 units.',
  'Query.me': 'The caller.',
  'Query.auditLog(userId:)': 'Only what is about this account.',
  'Query.avatarImages(avatarOwnerUserId:)': 'Whose avatar it is; default: the caller’s own.',
  'Query.conversationBySlug(limit:)': 'Only the newest so many, 1 to 1000; default: all.',
  'Query.conversationTag(limit:)': 'Only the newest so many, 1 to 1000; default: all.',
  'Query.conversationBySlug(slug:)': 'c-..., the last part of the address of its page.',
  'Query.conversationTag(slug:)': 'c-..., the last part of the address of its page.',
  'Query.oauthUserinfo': 'Who the caller’s token speaks for, as its app sees them.',
  'Query.recallMemories': 'The memories that fit a question best.',
  'Query.sharedVideo(slug:)': 'v-..., the last part of the address of its page.',
  'Query.speechCard(slug:)': 'g-..., the last part of the address of its page.',
  'Query.tribeMembership(user:)': 'Whose tribe: a user id or a name on the streaming platform.',
  'Query.turnBySlug(slug:)': 't-..., the last part of the address of its page.',
  'Query.turnCard(slug:)': 't-..., the last part of the address of its page.',
  'Query.videoPricing': 'What a second of video costs.',
  'Mutation.addAvatarImage': 'Adds an image to an own avatar; it is fetched and kept.',
  'Mutation.cancelGift': 'Takes a proposed gift back; one that was resolved keeps its state.',
  'Mutation.confirmGift':
    'Sends a gift: the credits move. Refused, and nothing moved: INSUFFICIENT_TRANSFERABLE (`transferable`, `required`), CONFLICT when it was resolved, EXPIRED after ten minutes, NOT_FOUND, FORBIDDEN when it is another user’s.',
  'Mutation.createAccessLink': 'Makes a private share link, whose address is shown this once.',
  'Mutation.createApiKey': 'Makes an API key, which is shown this once.',
  'Mutation.createAvatar': 'Makes an avatar; without an image a portrait of it is drawn.',
  'Mutation.createAvatarFolder': 'Makes a folder.',
  'Mutation.createConversation': 'Starts a conversation with an own avatar, or with a publicly renderable one.',
  'Mutation.createCustomVoice': 'Makes a voice for an own avatar, bent from a preset.',
  'Mutation.deleteApiKey': 'Revokes an API key at once.',
  'Mutation.deleteAvatarFolder': 'Deletes a folder; its avatars are kept.',
  'Mutation.deleteMemory': 'Makes an own avatar forget a memory.',
  'DeleteMemoryInput.id': 'The memory.',
  'UpdateMemoryInput.id': 'The memory.',
  'DeleteApiKeyInput.id': 'The key.',
  'Mutation.editImage': `Makes an image from others; charged once it is made. ${REFUSED}, also UPSTREAM_FAILED`,
  'Mutation.generateImage': `Makes an image; charged once it is made. ${REFUSED}, also UPSTREAM_FAILED when none could be made`,
  'Mutation.generateVideo': `Begins a video; held now, charged once it is ready. ${REFUSED}, also UPSTREAM_FAILED when it could not be begun`,
  'Mutation.injectTurn': `Says something to the avatar. The reply follows as one or more turns, charged to the avatar’s owner as each is ready. ${REFUSED}`,
  'Mutation.interruptTurn(input:)': 'Which turn, and how far it was heard.',
  'GrantCreditsInput.lockedToCreatorUserId': 'The creator on whom alone they are spent; default: spent anywhere.',
  'Mutation.joinTribe':
    'Joins a tribe, for its cost. Refused, and nothing charged: INSUFFICIENT_BALANCE (`balance`, `required`), ALREADY_MEMBER, OWN_TRIBE, NOT_FOUND, and UPSTREAM_FAILED when the streaming platform does not say who subscribes.',
  'OAuthTokenInput.grantType':
    'authorization_code, client_credentials or, where OAUTH_REFRESH_DAYS is set, refresh_token.',
  'OAuthTokenInput.refreshToken': 'For the grant type refresh_token: used once, it gives the next one.',
  'Mutation.pinAvatarImage': 'Shows the avatar with another of its images in one conversation.',
  'Mutation.proposeGift':
    'Proposes a gift; nothing moves until its sender confirms it. Refused: BAD_INPUT (`field`), INSUFFICIENT_TRANSFERABLE (`transferable`, `required`), SELF_GIFT, NOT_FOUND.',
  'Mutation.registerOAuthClient': 'Registers an app, whose secret is shown this once.',
  'Mutation.renameAvatar': 'Gives an own avatar another name; NAME_LOCKED when the streaming platform manages it.',
  'ResendVerificationInput.email': 'To which address; default: the caller’s own.',
  'Mutation.resetBrainSandbox': 'Empties a sandbox of an avatar’s memory.',
  'Mutation.revokeAccessLink': 'Ends a private share link; its viewers are disconnected.',
  'SetAvatarFaceInput.face': 'Where the face is.',
  'SetAvatarNonOwnerCapInput.creditsPerDay': 'Credits per UTC day; null: no cap.',
  'Mutation.setAvatarPublic': 'Opens an own avatar to anyone, or closes it.',
  'Mutation.setAvatarVoice': 'Gives an own avatar a voice.',
  'Mutation.setConversationVisibility': 'Opens an own conversation to anyone, or closes it.',
  'SetStreamSubscriptionInput.active': 'Whether they subscribe.',
  'SetStreamSubscriptionInput.creatorUserId': 'To whom.',
  'SetStreamSubscriptionInput.memberUserId': 'Who.',
  'Mutation.setVideoVisibility': 'Opens the page of an own video to anyone, or closes it.',
  'Mutation.signIn': 'Signs in.',
  'Mutation.signOut': 'Ends the session that asks.',
  'Mutation.signUp': 'Makes an account and signs in.',
  'Mutation.speak': `Speaks a text once; held now, charged once it is ready. An identical earlier request is answered by what was made then, uncharged. ${REFUSED}`,
  'WebhookDelivery.state': 'How far it has come.',
  'WebhookDelivery.id': 'Also sent as `webhook-id`: the same of every attempt.',
  'DeleteAvatarFolderInput.folderId': 'The folder to delete.',
  'DeletedFolder.folderId': 'The folder that is gone.',
  'BrainCitation.id': 'The memory.',
  'Memory.id': 'The memory.',
  'SavedMemory.id': 'The new memory.',
  'OAuthAvatar.id': 'The avatar.',
  'ReferencedAvatar.id': 'The avatar.',
  'ReferencedAvatar.name': 'What it was called when the video was asked for.',
  'RotateWebhookSecretInput.id': 'The endpoint.',
  'UpdateWebhookEndpointInput.id': 'The endpoint.',
  'DeleteWebhookEndpointInput.id': 'The endpoint.',
  'TestWebhookEndpointInput.id': 'The endpoint.',
  'NewApiKey.id': 'The key; what deletes it.',
  'CreateApiKeyInput.name': 'What you call it.',
  'VerifyEmailInput.token': 'The token in the mailed link.',
  'ConfirmEmailChangeInput.token': 'The token in the mailed link.',
  'ResetPasswordInput.token': 'The token in the mailed link.',
  'OAuthRevokeInput.token': 'An access token or a refresh token.',
  'CancelVideoInput.generationId': 'The video.',
  'DeleteVideoInput.generationId': 'The video.',
  'SetVideoVisibilityInput.generationId': 'The video.',
  'Query.video(generationId:)': 'The video.',
  'DeleteSpeechInput.generationId': 'The speech.',
  'Query.speakGeneration(generationId:)': 'The speech.',
  'SignInInput.email': 'The address of the account.',
  'SignUpInput.email': 'The address that the account is known by.',
  'ChangeEmailInput.email': 'The new address.',
  'DeleteAccountInput.password': 'The caller’s password.',
  'ChangeEmailInput.password': 'The caller’s password.',
  'GrantCreditsInput.userId': 'Who gets them.',
  'TrainingFailure.url': 'The page.',
  'AccessLink.url': 'The address to hand on. It is shown this once.',
  'StreamLink.url': 'Where to send the browser.',
  'UpdateWebhookEndpointInput.url': 'Where events are to go instead.',
  'TriedExchangeInput.avatarText': 'What the avatar answered.',
  'TriedExchangeInput.userText': 'What was said to it.',
  'TribeMembership.member': 'Who was asked about.',
  'SpeakInput.text': 'The words to be spoken.',
  'TranslatedCaption.text': 'The words in that language.',
  'TriedReply.text': 'What it would answer.',
  'ResetSandbox.sandboxId': 'The sandbox that is empty now.',
  'ConversationWithTurns.turns': 'Its turns, or those that were asked for, in the order they are shown.',
  'Mutation.trainAvatar': 'Makes an own avatar learn from its personality and its pages.',
};

const coordinate = (type: string, field: string, argument?: GraphQLArgument): string =>
  argument ? `${type}.${field}(${argument.name}:)` : `${type}.${field}`;

/** Fills in what the classes leave unsaid. */
export function describe(schema: GraphQLSchema): void {
  for (const { name, args } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const input = args[0] && getNullableType(args[0].type);
    if (isInputObjectType(input)) input.description ??= BY_COORDINATE[input.name] ?? `What \`${name}\` takes.`;
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    type.description ??= BY_COORDINATE[type.name];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const isRoot = ['Query', 'Mutation', 'Subscription'].includes(type.name);
      // What a root field is named says what it does, not what it is.
      field.description ??=
        BY_COORDINATE[coordinate(type.name, field.name)] ?? (isRoot ? undefined : BY_NAME[field.name]);
      for (const argument of 'args' in field ? field.args : []) {
        argument.description ??= BY_COORDINATE[coordinate(type.name, field.name, argument)] ?? BY_NAME[argument.name];
      }
    }
  }
}

/** The coordinates of everything that has no description. */
export function undescribed(schema: GraphQLSchema): string[] {
  const missing: string[] = [];
  const check = (at: string, { description }: { description?: string | null | undefined }): void => {
    if (!description?.trim()) missing.push(at);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || (isSpecifiedScalarType(type) && type.description)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(coordinate(type.name, field.name), field);
      for (const argument of 'args' in field ? field.args : []) {
        check(coordinate(type.name, field.name, argument), argument);
      }
    }
  }
  return missing;
}

/** Words for coordinates that the schema no longer has. */
export function unused(schema: GraphQLSchema): string[] {
  return Object.keys(BY_COORDINATE).filter((at) => {
    const [, name = '', fieldName, argument] = /^(\w+)(?:\.(\w+)(?:\((\w+):\))?)?$/.exec(at) ?? [];
    const type = schema.getType(name);
    if (!fieldName) return !type;
    const field = type && 'getFields' in type ? type.getFields()[fieldName] : undefined;
    if (!argument || !field) return !field;
    return !('args' in field && field.args.some((each) => each.name === argument));
  });
}
